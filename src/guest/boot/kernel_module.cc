// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/kernel_module.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace sbx::guest {
namespace {

constexpr int kCompressed = 4;  // MODULE_INIT_COMPRESSED_FILE, which <linux/module.h> has since 5.17

}  // namespace

Result<> insert_module(const Fd& file, const std::string& name, const char* parameters) {
  const int flags = name.ends_with(".ko") ? 0 : kCompressed;
  if (::syscall(SYS_finit_module, file.get(), parameters, flags) == 0 || errno == EEXIST) return Ok{};
  return fail_errno("load " + name);
}

}  // namespace sbx::guest
