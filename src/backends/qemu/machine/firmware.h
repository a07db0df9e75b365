// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::backends::qemu {

// What a machine's processor runs before the kernel. It is named on QEMU's command line, because what QEMU takes by
// itself depends on the distribution: its bios-microvm.bin is qboot in Debian 12 and SeaBIOS in Debian 13, and SeaBIOS
// without an option ROM has no way to start a kernel: it waits for ever and prints nothing.
struct Firmware {
  std::string path;
  bool loads_kernels = false;  // by itself (qboot); else QEMU gives the guest an option ROM that does (SeaBIOS)
};

// The first of the table that is there: qboot, which is quicker, then SeaBIOS. `root` is what its paths are under.
Result<Firmware> find_firmware(const std::string& root = "");

}  // namespace sbx::backends::qemu
