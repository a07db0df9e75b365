// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What of a sandbox's changes is its own and no part of a layer made of them: places of file systems in memory, who the
// sandbox is, its certificate authority, and what init writes at every start. The tables are in left_out.cc.
namespace sbx::archive {

class LeftOut {
 public:
  // For a layer that is packed as it is.
  static LeftOut nothing() { return {}; }
  // For a sandbox's changes. `mount_points`: of its workspaces and other mounts, as "/home/me/work".
  static LeftOut of_sandbox(const std::vector<std::string>& mount_points);

  // Paths are as in the archive: "etc/hosts".
  bool has(std::string_view path) const;
  // A link of init's own: programs find the authority by it, or the program ralph.
  bool has_link(std::string_view path, std::string_view target) const;
  // Whether it is init that wrote the file, which has this in its attribute kInitMark, and no other since.
  bool has_unchanged(std::string_view path, std::string_view mark, std::int64_t size, std::int64_t mtime,
                     std::int64_t mtime_ns) const;
  // A store of authorities, in which that of the sandbox is left out.
  bool is_bundle(std::string_view path) const;

 private:
  bool is_sandbox_ = false;
  std::vector<std::string> mount_points_;
};

// Where init notes, in an attribute of a file that it has made, that it did so. An attribute that the file keeps when
// its user edits it in place or copies it elsewhere, hence what it says.
inline constexpr const char* kInitMark = "user.sandbox-init.made";
std::string init_mark(std::string_view path, std::int64_t size, std::int64_t mtime, std::int64_t mtime_ns);

// The authority's certificate by itself.
inline constexpr std::string_view kAuthorityPath = "usr/local/share/ca-certificates/proxy-ca.crt";
// A store of authorities (PEM) without this one, and without the newline that init put before it.
std::string without_authority(std::string bundle, std::string_view certificate);

}  // namespace sbx::archive
