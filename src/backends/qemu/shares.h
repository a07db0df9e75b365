// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "backends/backend.h"
#include "base/child.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// The host's directories that a machine sees: a virtiofsd in its jail, which has them all and nothing else, and QEMU's
// end of the connection to it. Neither is there in a machine that shares nothing.
struct Shares {
  std::optional<Child> server;
  Fd connection;
};

// From the state directory, in the mount namespace of the machine. The server holds `lock`, and complains to `log`.
Result<Shares> start_shares(const MachineSpec& spec, const Fd& lock, const Fd& log);

}  // namespace sbx::backends::qemu
