// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "wire/network_config.h"

// The gate of a sandbox: the one process of it that may use the network. docs/life-of-a-connection.md has its place;
// message.h what it hears and says.
namespace sbx::gate {

struct Options {
  std::string state_directory;  // network.sock and network/ are made there
  std::uint32_t id = 0;         // as root: the user and group id that it becomes, the sandbox's own; 0: stays who it is
};

// A gate that serves. Closing the line ends it; the caller of start() reaps it.
struct Started {
  pid_t pid;
  Fd line;    // the shim's end (gate/line.h)
  Fd vaults;  // for the keeper of vaults: takes a line to each, on which that vault may dial (gate/desk.h)
  Fd signer;  // for the signer, if there is one: answers its questions (gate/ssh_question.h)
};

// Forks the gate from the calling process, which must have one thread, and waits until the ports are open and it has
// given up everything else. The error says why it could not: kConflict for a port that is taken.
Result<Started> start(const wire::NetworkConfig& network, const Options& options);

}  // namespace sbx::gate
