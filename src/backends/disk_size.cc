// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/disk_size.h"

#include <sys/statvfs.h>

#include <bit>

#include "base/format.h"

namespace sbx::backends {
namespace {

// A default below this is worth a word: what an agent installs may not fit.
constexpr std::int64_t kComfortable = std::int64_t{16} << 30;

std::string in_words(std::int64_t bytes) {
  constexpr std::int64_t kMiB = 1 << 20;
  constexpr std::int64_t kGiB = 1 << 30;
  if (bytes < kGiB) return sbx::format("{} MB", bytes / kMiB);
  return bytes % kGiB == 0 ? sbx::format("{} GB", bytes / kGiB)
                           : sbx::format("{:.1f} GB", static_cast<double>(bytes) / static_cast<double>(kGiB));
}

Result<DiskSize> default_size(const Room& room) {
  if (room.total == 0 || room.free / 2 >= kDefaultDisk) return DiskSize{kDefaultDisk, ""};
  if (room.free / 2 < kSmallestDisk)
    return fail(Code::kUnavailable,
                sbx::format("No space left for a sandbox's disk: {} are free, and it needs twice the smallest, {}",
                            in_words(room.free), in_words(2 * kSmallestDisk)),
                "sandbox ls, then sandbox rm what is not needed");
  const auto bytes = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(room.free / 2)));
  if (bytes >= kComfortable) return DiskSize{bytes, ""};
  return DiskSize{bytes, sbx::format("Its disk is bounded to {}, because only {} are free; --disk says otherwise.",
                                     in_words(bytes), in_words(room.free))};
}

}  // namespace

Result<Room> room_in(const std::string& directory) {
  struct statvfs info {};
  if (::statvfs(directory.c_str(), &info) != 0) return fail_errno("look at the file system of " + directory);
  const auto bytes = [&](fsblkcnt_t blocks) { return static_cast<std::int64_t>(blocks * info.f_frsize); };
  return Room{bytes(info.f_bavail), bytes(info.f_blocks)};
}

Result<DiskSize> disk_size(std::int64_t wanted, const Room& room) {
  if (wanted == 0) return default_size(room);
  if (wanted < kSmallestDisk)
    return fail(Code::kInvalid, sbx::format("--disk: {} bytes are too few: the smallest is 64 MB", wanted),
                "--disk 64m or more");
  if (room.total == 0 || wanted <= room.free) return DiskSize{wanted, ""};
  if (wanted > room.total)
    return fail(Code::kInvalid,
                sbx::format("--disk: {} can never be had: the file system of the sandboxes has {} in all",
                            in_words(wanted), in_words(room.total)),
                "a smaller --disk, or SANDBOXES_HOME on a larger file system");
  return DiskSize{wanted, sbx::format("Its disk may hold {}, but only {} are free on the host now.", in_words(wanted),
                                      in_words(room.free))};
}

}  // namespace sbx::backends
