// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sbx::archive {

inline constexpr std::size_t kLongestName = 4096;  // of an entry or a link, as PATH_MAX

enum class Type { kFile, kDirectory, kSymlink, kHardLink, kFifo, kOther };

// An extended attribute of a file.
struct Attribute {
  std::string name;  // "security.capability"
  std::string value;
};

// One member of an archive.
struct Member {
  std::string name;
  Type type = Type::kFile;
  std::string link;        // what a symbolic or hard link leads to
  unsigned mode = 0;       // permission bits
  std::int64_t size = 0;   // of the bytes that follow; 0 for everything that is not a file
  std::int64_t mtime = 0;  // seconds since 1970
  std::int64_t mtime_ns = 0;
  // Written where they are set, for layers (changes.h), and never read: what is unpacked belongs to the user who
  // unpacks it.
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::vector<Attribute> attributes;
};

}  // namespace sbx::archive
