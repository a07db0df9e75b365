// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/backend.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// A kernel of the host that machines can boot.
struct Kernel {
  std::string image;    // a bzImage, or an uncompressed ELF image
  std::string modules;  // the directory with its modules.dep
  std::string release;  // "6.1.0-54-cloud-amd64"
};

// The kernel of the settings. Without one, the newest on this host that has its modules and that we may read, and of
// those one made for clouds before any other: it boots faster, for want of drivers. Looks where packages/kernel
// puts one, in /boot and, as Fedora has them, in /lib/modules/*. The error says what there is and why it is of no use.
// `root` is put before these paths.
Result<Kernel> find_kernel(const Settings& settings, const std::string& root = "");

}  // namespace sbx::backends::qemu
