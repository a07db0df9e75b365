// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/backend.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// What every machine boots from. The files are world-readable, in a directory that need not be.
struct Kit {
  std::string kernel;     // uncompressed where that was possible
  std::string initramfs;  // sandbox-init and the modules that it needs
  std::string modules;    // the directory of all others, the kernel's own: not in the kit, because it is large
  std::string release;    // of the kernel
};

// The kit for the kernel that find_kernel finds and for this sandbox-init, from <cache_directory>/kernels/<key>; made
// there first if there is none. A change in any of them is another key. One that is there costs some stats. Of several
// callers, in whatever process, one makes it and the others wait; a killed one leaves nothing that is taken for whole
// and that the next one to make a kit does not remove. Kits that were not used for a day go too, except for the three
// used last.
Result<Kit> ready_kit(const Settings& settings, const std::string& init_program, const std::string& cache_directory);

}  // namespace sbx::backends::qemu
