// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/etc_file.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace sbx::guest {
namespace {

constexpr std::size_t kLargest = 1u << 20;

}  // namespace

Result<std::string> read_etc_file(const std::string& path) {
  TRY_ASSIGN(const Fd file, open_path(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  return read_etc_file(file, path);
}

Result<std::string> read_etc_file(const Fd& file, const std::string& path) {
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return fail_errno("stat " + path);
  if (!S_ISREG(info.st_mode)) return fail(Code::kConflict, path + " is not a file");
  auto content = read_all(file, kLargest);
  if (!content) return fail(std::move(content).error().within("read " + path));
  return content;
}

}  // namespace sbx::guest
