// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/backend.h"
#include "base/child.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// The host's directories that a machine sees: a virtiofsd in its jail, which has them all and nothing else, and QEMU's
// end of the connection to it. One of them is that of the kernel's modules.
struct Shares {
  Child server;
  Fd connection;
};

// From the state directory, in the mount namespace of the machine; `modules` is the directory of its kernel's. The
// server holds `lock`, and complains to `log`.
Result<Shares> start_shares(const MachineSpec& spec, const std::string& modules, const Fd& lock, const Fd& log);

}  // namespace sbx::backends::qemu
