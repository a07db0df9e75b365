// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/qemu/kernel_symbols.h"

namespace sbx::backends::qemu {

// A module's file with what it takes from the kernel itself put in: the guest's kernel, which searches its tables for
// every name and then the module's versions for the same, need not. That is half of the instructions of loading one.
// What another module exports stays open, because the kernel counts who uses which module.
//
// SECURITY: a symbol is put in only if module and kernel have the same checksum for it; all others stay for the kernel
// to look up, with the versions that it compares, so that it refuses what it would have refused. So is everything of a
// module that is not under a licence which may use all that is exported. A file that is not a module, or that keeps no
// versions, comes back as it is.
std::string prelinked(std::string module, const KernelSymbols& symbols);

}  // namespace sbx::backends::qemu
