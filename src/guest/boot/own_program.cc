// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/own_program.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"

namespace sbx::guest {
namespace {

constexpr const char* kInContainer = "/.sandbox-init";

}  // namespace

// A container has a file of init; a virtual machine's is on the initramfs, where no path leads any more.
Result<> put_own_program(const std::string& path) {
  if (exists(path)) return Ok{};
  TRY(make_directories(path.substr(0, path.rfind('/')), 0755));
  if (exists(kInContainer)) {
    if (::symlink(kInContainer, path.c_str()) != 0) return fail_errno("link " + path);
    return Ok{};
  }
  TRY(open_path(path, O_WRONLY | O_CREAT, 0755));
  if (::mount("/proc/self/exe", path.c_str(), nullptr, MS_BIND, nullptr) != 0) return fail_errno("mount " + path);
  return Ok{};
}

}  // namespace sbx::guest
