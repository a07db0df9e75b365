// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "gate/helper_process.h"

// The vault of a sandbox: the one process of it that has secrets (docs/life-of-a-connection.md). It is forked by its
// keeper when there are credentials; the keeper is forked by the shim.
namespace sbx::vault {

struct Options {
  std::string state_directory;  // vault.sock is made there
  std::uint32_t id = 0;         // as root: the user and group id of keeper and vault; 0: they stay who they are
};

// Forks the keeper from the calling process, which must have one thread and must not have read a key, and waits until
// it serves. `gate`: gate::Started::vaults. On its line comes a line to each new vault (vault/message.h).
Result<gate::HelperProcess> start(const Options& options, Fd gate);

}  // namespace sbx::vault
