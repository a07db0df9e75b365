// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace sbx::backends {

inline constexpr std::int64_t kDefaultDisk = std::int64_t{64} << 30;
inline constexpr std::int64_t kSmallestDisk = std::int64_t{64} << 20;

// Of the file system that holds a directory; 0 for a file system that does not say.
struct Room {
  std::int64_t free = 0;
  std::int64_t total = 0;
};
Result<Room> room_in(const std::string& directory);

struct DiskSize {
  std::int64_t bytes = 0;
  std::string note;  // a line that the user should read; usually empty
};

// How big the disk of a sandbox is that asked for `wanted` bytes. A disk is a bound and takes no room in advance, so
// that several may together be more than the host has.
//   0 (nothing was asked for): a power of two, so that few blank ones are kept; at most half of what is free, at most
//   64 GB. Where not even the smallest leaves the host as much as it takes: an error.
//   more than is free: what was asked for, and a note. More than the whole file system: an error.
Result<DiskSize> disk_size(std::int64_t wanted, const Room& room);

}  // namespace sbx::backends
