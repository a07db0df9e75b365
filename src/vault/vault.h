// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/result.h"

// The vault of a sandbox: the one process of it that has secrets (docs/life-of-a-connection.md). It is forked by its
// keeper when there are credentials; the keeper is forked by the shim.
namespace sbx::vault {

struct Options {
  std::string state_directory;  // vault.sock is made there
  std::uint32_t id = 0;         // as root: the user and group id of keeper and vault; 0: they stay who they are
};

// A keeper that serves. Closing the line ends it, and its vault; the caller of start() reaps it.
struct Started {
  pid_t pid;
  Fd line;  // on which a line to each new vault comes (vault/message.h)
};

// Forks the keeper from the calling process, which must have one thread and must not have read a key, and waits until
// it serves. `gate`: gate::Started::vaults.
Result<Started> start(const Options& options, Fd gate);

}  // namespace sbx::vault
