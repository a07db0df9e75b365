// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/private_path.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/format.h"

namespace sbx::secrets {
namespace {

Result<> check(const std::string& path, mode_t kind, mode_t mode, const char* noun) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return fail(Code::kNotFound, path + " is not there");
    return fail_errno("look at " + path);
  }
  if ((info.st_mode & S_IFMT) != kind) return fail(Code::kForbidden, sbx::format("{} is not a {}", path, noun));
  if (info.st_uid != ::geteuid())
    return fail(Code::kForbidden, sbx::format("{} belongs to another user ({})", path, info.st_uid),
                sbx::format("chown {} {}", ::geteuid(), path));
  const mode_t has = info.st_mode & 07777;
  if (has != mode)
    return fail(Code::kForbidden, sbx::format("{} has the permissions {:o} and must have {:o}", path, has, mode),
                sbx::format("chmod {:o} {}", mode, path));
  return Ok{};
}

}  // namespace

Result<> check_private_directory(const std::string& path) { return check(path, S_IFDIR, 0700, "directory"); }

Result<> check_private_file(const std::string& path) { return check(path, S_IFREG, 0600, "plain file"); }

}  // namespace sbx::secrets
