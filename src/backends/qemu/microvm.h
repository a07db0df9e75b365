// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backends/backend.h"

namespace sbx::backends::qemu {

// The microVM backend: QEMU's microvm machine with a kernel of its own, on KVM where the host has it, emulated where
// not. QEMU and virtiofsd run in jails (jail.h) and end with their shim.
std::unique_ptr<Backend> make_microvm(Settings settings);

}  // namespace sbx::backends::qemu
