// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/firmware.h"

#include <unistd.h>

#include <array>
#include <utility>

namespace sbx::backends::qemu {
namespace {

// The directories are those that QEMU's jail has (machine.cc). Last is the name under which QEMU looks by itself: it
// may be either of the two, and an option ROM does qboot no harm.
constexpr std::array kFirmware{
    std::pair{"/usr/share/qemu/qboot.rom", true},
    std::pair{"/usr/share/seabios/bios-microvm.bin", false},
    std::pair{"/usr/share/qemu/bios-microvm.bin", false},
};

}  // namespace

Result<Firmware> find_firmware(const std::string& root) {
  for (const auto& [path, loads_kernels] : kFirmware)
    if (::access((root + path).c_str(), R_OK) == 0) return Firmware{path, loads_kernels};
  return fail(Code::kUnavailable, "QEMU's firmware is not installed (neither qboot.rom nor bios-microvm.bin)",
              "sudo apt-get install qemu-system-data seabios");
}

}  // namespace sbx::backends::qemu
