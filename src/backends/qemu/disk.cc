// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/disk.h"

#include <unistd.h>

#include "backends/qemu/mkfs.h"
#include "base/file.h"

namespace sbx::backends::qemu {
namespace {

constexpr std::int64_t kBigEnoughForJournal = std::int64_t{2} << 30;

std::vector<std::string> arguments(const std::string& path, std::int64_t bytes) {
  std::vector<std::string> argv{"mkfs.ext4", "-q", "-F", "-m", "0", "-L", "sandbox"};
  // The file is new and so reads as zeroes: no inode table need be written, neither now nor by the guest later.
  argv.insert(argv.end(), {"-E", "assume_storage_prezeroed=1,nodiscard,packed_meta_blocks=1,root_owner=0:0"});
  // By default it would be 256 MB of a big disk, and in time the host would store all of it.
  if (bytes >= kBigEnoughForJournal) argv.insert(argv.end(), {"-J", "size=64"});
  argv.push_back(path);
  return argv;
}

Result<> write_disk(const Fd& file, const std::string& path, std::int64_t bytes) {
  if (::ftruncate(file.get(), bytes) != 0) return fail_errno("set the size of " + path);
  return run_mkfs(arguments(path, bytes), file, As::kOurselves, "e2fsprogs");
}

}  // namespace

Result<> ready_disk(const std::string& path, std::int64_t bytes) {
  if (exists(path)) return Ok{};
  if (bytes < kSmallestDisk)
    return fail(Code::kInvalid, "a disk of " + std::to_string(bytes) + " bytes is too small: the smallest is 64 MB",
                "--disk 64m or more");
  TRY_WITHIN("make disk " + path, make_once(path, 0600, [&](const Fd& file, const std::string& temporary) {
               return write_disk(file, temporary, bytes);
             }));
  return Ok{};
}

}  // namespace sbx::backends::qemu
