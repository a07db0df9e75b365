// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sbx::backends::qemu {

// One entry of the archive that a kernel unpacks as its first root ("newc" cpio: Linux's buffer-format.rst).
struct CpioEntry {
  std::string path;         // relative; directories before what is in them
  mode_t mode = 0;          // with the type
  std::string content{};    // of a regular file
  std::uint32_t major = 0;  // of a device
  std::uint32_t minor = 0;
};

// The archive. The same entries give the same bytes: everything is root's and of the year 1970.
std::string cpio_archive(const std::vector<CpioEntry>& entries);

struct NamedModule {
  std::string name;     // "virtio_blk"
  std::string content;  // an ELF file
};

// A root in which sandbox-init is /init, on a console, and the modules are /modules/NN-name.ko, in the order given;
// those of the network, likewise, /network-modules/NN-name.ko.
std::vector<CpioEntry> initramfs_entries(std::string init, std::vector<NamedModule> modules,
                                         std::vector<NamedModule> network_modules);

}  // namespace sbx::backends::qemu
