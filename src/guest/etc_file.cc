// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/etc_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/fd.h"

namespace sbx::guest {
namespace {

constexpr std::size_t kLargest = 1u << 20;

Result<> write_new(const std::string& path, std::string_view content, const struct stat& like) {
  ::unlink(path.c_str());  // what an interrupted start left behind
  TRY_ASSIGN(const Fd file, open_path(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  TRY_WITHIN("write " + path, write_all(file, content));
  if (::fchown(file.get(), like.st_uid, like.st_gid) != 0) return fail_errno("set the owner of " + path);
  if (::fchmod(file.get(), like.st_mode & 07777) != 0) return fail_errno("set the mode of " + path);
  return Ok{};
}

}  // namespace

Result<std::string> read_etc_file(const std::string& path) {
  TRY_ASSIGN(const Fd file, open_path(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return fail_errno("stat " + path);
  if (!S_ISREG(info.st_mode)) return fail(Code::kConflict, path + " is not a file");
  auto content = read_all(file, kLargest);
  if (!content) return fail(std::move(content).error().within("read " + path));
  return content;
}

Result<> replace_etc_file(const std::string& path, std::string_view content, unsigned mode) {
  struct stat like {};
  if (::lstat(path.c_str(), &like) != 0 || !S_ISREG(like.st_mode)) {
    like.st_uid = ::geteuid();
    like.st_gid = ::getegid();
    like.st_mode = mode;
  }
  const std::string temporary = path + ".sandbox-init";
  auto written = write_new(temporary, content, like);
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0) written = fail_errno("replace " + path);
  if (!written) ::unlink(temporary.c_str());
  return written;
}

}  // namespace sbx::guest
