// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "gate/helper_process.h"

// The signer of a sandbox with --ssh-agent (docs/life-of-a-connection.md): a process of its own, in an empty root,
// without a right to anything.
namespace sbx::sshagent {

struct Options {
  std::string state_directory;  // signer.sock is made there
  std::uint32_t id = 0;         // as root: its user and group id; 0: it stays who it is
};

// Forks it from the calling process, which must have one thread and must not have read a key, and waits until it
// serves. `gate`: gate::Started::signer. line_message.h has what goes over its line.
Result<gate::HelperProcess> start(const Options& options, Fd gate);

}  // namespace sbx::sshagent
