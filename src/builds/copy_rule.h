// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::builds {

// What COPY copies, and to where. Pure: paths in, paths out.
//   CopyRule rule({"lib", "*.txt"}, "/app/", /*is_directory=*/true);
//   rule.target_of("lib/a")     "/app/a": of a directory the content is copied
//   rule.target_of("b.txt")     "/app/b.txt"
//   rule.target_of("c")         nothing
class CopyRule {
 public:
  // `sources` are patterns of paths from the root of what is copied from; `destination` is an absolute path, and
  // `is_directory` says that files go into it instead of being it.
  CopyRule(std::vector<std::string> sources, const std::string& destination, bool is_directory);

  std::optional<std::string> target_of(std::string_view path) const;
  // The index of the source that takes this path.
  std::optional<std::size_t> source_of(std::string_view path) const;
  // Whether a source is this very path, and not a directory above it.
  bool names(std::string_view path) const;
  const std::vector<std::string>& sources() const { return sources_; }
  const std::string& destination() const { return destination_; }

 private:
  struct Match {
    std::size_t source;
    std::string_view rest;  // below what matches; empty: it is that
    std::string_view name;  // the last component of what matches
  };
  std::optional<Match> match(std::string_view path) const;

  std::vector<std::string> sources_;
  std::string destination_;
  bool is_directory_;
};

// "a/./b//c/" is "a/b/c", "../a" is "a": a path below a root, without the slashes around it.
std::string plain_path(std::string_view path);

}  // namespace sbx::builds
