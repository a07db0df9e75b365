// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/disk_image.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/file.h"
#include "base/format.h"

namespace sbx::backends {
namespace {

constexpr std::int64_t kBigEnoughForJournal = std::int64_t{2} << 30;
constexpr std::size_t kPiece = 1u << 20;
constexpr const char* kDiskForm = "2";  // of blank disks: another one is another name

std::vector<std::string> mkfs_arguments(const std::string& path, std::int64_t bytes) {
  // A small one would have blocks of 1 KiB, and no room for links and attributes of the length that programs expect.
  std::vector<std::string> argv{"mkfs.ext4", "-q", "-F", "-m", "0", "-L", "sandbox", "-b", "4096"};
  // No disk ever grows, and the room to describe a bigger one is 4 MB that every copy would carry.
  argv.insert(argv.end(), {"-O", "^resize_inode"});
  // The file is new and so reads as zeroes: no inode table need be written, neither now nor by the guest later.
  argv.insert(argv.end(), {"-E", "assume_storage_prezeroed=1,nodiscard,packed_meta_blocks=1,root_owner=0:0"});
  // By default it would be 256 MB of a big disk, and in time the host would store all of it.
  if (bytes >= kBigEnoughForJournal) argv.insert(argv.end(), {"-J", "size=64"});
  argv.push_back(path);
  return argv;
}

// What the guest would make when it first mounts it (src/guest/boot/root.cc), and to an emulated one the first
// directory of a file system is a long walk through all of it.
Result<> make_first_directories(const std::string& path, const Fd& file) {
  for (const char* directory : {"upper", "work"})
    TRY(run_mkfs({{"debugfs", "-w", "-R", std::string("mkdir ") + directory, path}, "e2fsprogs"}, file));
  return Ok{};
}

Result<> write_blank(const Fd& file, const std::string& path, std::int64_t bytes) {
  if (::ftruncate(file.get(), bytes) != 0) return fail_errno("set the size of " + path);
  TRY(run_mkfs({mkfs_arguments(path, bytes), "e2fsprogs"}, file));
  return make_first_directories(path, file);
}

Result<> copy_piece(const Fd& from, const Fd& to, off_t begin, off_t end) {
  std::string buffer(std::min(kPiece, static_cast<std::size_t>(end - begin)), '\0');
  while (begin < end) {
    const auto wanted = std::min(buffer.size(), static_cast<std::size_t>(end - begin));
    const ssize_t n = ::pread(from.get(), buffer.data(), wanted, begin);
    if (n <= 0) return fail_errno("read a blank disk");
    for (ssize_t done = 0; done < n;) {
      const ssize_t written =
          ::pwrite(to.get(), buffer.data() + done, static_cast<std::size_t>(n - done), begin + done);
      if (written < 0) return fail_errno("write");
      done += written;
    }
    begin += n;
  }
  return Ok{};
}

// Only what is in it: nearly all of it is a hole.
Result<> copy_sparse(const Fd& from, const Fd& to, std::int64_t bytes) {
  if (::ftruncate(to.get(), bytes) != 0) return fail_errno("set its size");
  for (off_t at = 0;;) {
    const off_t begin = ::lseek(from.get(), at, SEEK_DATA);
    if (begin < 0) return errno == ENXIO ? Result<>(Ok{}) : fail_errno("look through a blank disk");
    at = ::lseek(from.get(), begin, SEEK_HOLE);
    if (at < 0) return fail_errno("look through a blank disk");
    TRY(copy_piece(from, to, begin, at));
  }
}

Result<Fd> open_blank(std::int64_t bytes, const std::string& cache_directory) {
  const std::string directory = cache_directory + "/disks";
  const std::string path = sbx::format("{}/{}-{}", directory, kDiskForm, bytes);
  TRY(make_directories(directory));
  TRY(make_once(path, 0600,
                [&](const Fd& file, const std::string& temporary) { return write_blank(file, temporary, bytes); }));
  return open_path(path, O_RDONLY);
}

}  // namespace

Result<> ready_disk(const std::string& path, std::int64_t bytes, const std::string& cache_directory, Survives what) {
  if (exists(path)) return Ok{};
  const auto made = [&]() -> Result<> {
    TRY_ASSIGN(const Fd blank, open_blank(bytes, cache_directory));
    return make_once(
        path, 0600, [&](const Fd& file, const std::string&) { return copy_sparse(blank, file, bytes); }, what);
  };
  TRY_WITHIN("make disk " + path, made());
  return Ok{};
}

}  // namespace sbx::backends
