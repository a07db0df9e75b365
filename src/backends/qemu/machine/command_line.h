// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/qemu/machine/firmware.h"

namespace sbx::backends::qemu {

// What a machine is made of, as QEMU is told. Descriptors are the numbers that QEMU has them under; paths are in its
// jail. Nothing in it is one sandbox's but the descriptors and the sizes.
struct Hardware {
  std::string program;  // qemu-system-*
  bool kvm = false;     // else emulated (TCG)
  int cpus = 1;
  std::int64_t memory = 0;  // bytes
  std::string memory_file;
  Firmware firmware;
  std::string kernel;
  std::string initramfs;
  std::int64_t tsc_khz = 0;  // emulated only: the host's, which is what the guest's counter runs at
  int template_fd = -1;      // read only
  int disk_fd = -1;
  int channel_fd = -1;  // connected sockets
  int console_fd = -1;
  int shared_fd = -1;  // to virtiofsd
};

std::vector<std::string> qemu_command(const Hardware& hardware);
std::string kernel_command_line(const Hardware& hardware);

// The two virtiofsd: QEMU's own (C, until QEMU 7.2) and its successor (Rust). They do the same with other options.
enum class Flavour { kC, kRust };

struct FileServer {
  std::string program;
  Flavour flavour = Flavour::kC;
  int listener_fd = -1;
  std::string directory;    // in its jail
  bool maps_files = false;  // Rust: has --allow-mmap
};

std::vector<std::string> virtiofsd_command(const FileServer& server);

}  // namespace sbx::backends::qemu
