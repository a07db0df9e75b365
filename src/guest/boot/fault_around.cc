// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/fault_around.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string_view>

#include "base/fd.h"
#include "guest/boot/emulation.h"

namespace sbx::guest {
namespace {

constexpr std::string_view kBytes = "16384";

// Mounted nowhere: no process of the guest sees it.
Fd open_debugfs() {
  const Fd context(static_cast<int>(::syscall(SYS_fsopen, "debugfs", FSOPEN_CLOEXEC)));
  if (!context || ::syscall(SYS_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) return Fd();
  return Fd(static_cast<int>(::syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, 0)));
}

}  // namespace

void map_fewer_pages_around() {
  if (!is_emulated()) return;
  const Fd debugfs = open_debugfs();
  if (!debugfs) return;
  const Fd setting(::openat(debugfs.get(), "fault_around_bytes", O_WRONLY | O_CLOEXEC));
  if (setting) (void)!::write(setting.get(), kBytes.data(), kBytes.size());
}

}  // namespace sbx::guest
