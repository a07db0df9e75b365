// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backends/backend.h"
#include "backends/qemu/kit/kit.h"

namespace sbx::backends::qemu {

// Starts the machine of a spec for which everything has been prepared. Moves the calling process, which must have one
// thread, into new namespaces; on failure it is of no further use, and its end undoes everything.
Result<std::unique_ptr<Machine>> start_machine(const MachineSpec& spec, const Kit& kit, bool kvm);

// Where a machine's files are.
std::string disk_of(const MachineSpec& spec);
// Held (flock) by QEMU and virtiofsd for as long as one of them lives.
std::string lock_of(const MachineSpec& spec);

}  // namespace sbx::backends::qemu
