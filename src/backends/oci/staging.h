// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backends/backend.h"
#include "base/result.h"

namespace sbx::backends::oci {

// The guest's file systems, put together in a mount namespace that only this process (and the container made from it)
// sees, so that they vanish with it and leave no mount behind on the host.
//
//   <stage>/root    overlay: the template below, disk/upper above
//   <stage>/init    sandbox-init, read only, from a view of its directory, which the guest cannot see
//   <stage>/m0 ...  the workspaces and -v mounts, with the guest's ids, read only where asked
//
// <stage> is a small tmpfs over a directory that every id may pass through: the runtime enters the guest's user
// namespace before it opens the root, and would get no further than a 0700 home directory.
struct Staging {
  std::string root;
  std::string init_program;
  std::vector<wire::Mount> binds;  // source in the stage, target in the guest
  CoveredSockets sockets;
};

// Moves the calling process into new namespaces (mount; and, for an ordinary user, user): it must have one thread.
// On failure the process is of no further use, and its end undoes everything.
Result<Staging> stage(const MachineSpec& spec);

}  // namespace sbx::backends::oci
