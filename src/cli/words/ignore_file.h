// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sbx::cli {

// A .dockerignore: which paths of a directory are not sent with it. Pure.
class IgnoreFile {
 public:
  // A pattern for each line: *, ? and [..] within a component, ** for any number of them; ! takes what was left out
  // back in; # begins a comment. The last pattern that matches a path, or a directory above it, decides.
  static IgnoreFile parse(std::string_view text);

  bool leaves_out(std::string_view path) const;
  // Whether nothing below a directory can be taken back in, so that it need not be looked at.
  bool leaves_out_all_below(std::string_view directory) const;

 private:
  struct Pattern {
    std::vector<std::string> parts;
    bool keeps = false;
  };
  std::vector<Pattern> patterns_;
};

}  // namespace sbx::cli
