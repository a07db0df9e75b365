// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "base/fd.h"
#include "base/result.h"
#include "idmap/idmap.h"

namespace sbx::backends {

// Something of the host's, as the guest is to see it: a mount that is not attached anywhere yet.
struct Shared {
  Fd tree;
  bool directory = true;
  std::vector<std::string> hidden = {};  // below it: empty directories in their places
};

// A workspace or -v mount, with the guest's ids, and read only where asked. As root: its owner is guest 1000, and
// the others live from `id_base` on; for an ordinary user the namespace that it is mounted in has the map. What the
// spec hides is not seen in it.
Result<Shared> share_mount(const wire::Mount& mount, const MachineSpec& spec);

// As root, the ids of the guest's user namespace.
idmap::IdMap guest_map(const MachineSpec& spec);

// A file or directory of the system's, read only, for programs that need it.
Result<Shared> share_system(const std::string& path);

// Who a root daemon's agent must be so that these can be shared: see AgentIds. Where all file systems support idmapped
// mounts, no user of the host's (0). The calling process may have threads; nothing is left behind.
Result<AgentIds> agent_sharing(const std::vector<wire::Mount>& mounts);

// Makes an empty directory or file at this path and mounts it there, and over what is hidden in it.
Result<> attach(const Shared& shared, const std::string& at);

// Puts the calling process, which must have one thread, into a mount namespace that it may change, and which others do
// not see; for an ordinary user also into a user namespace with the rootless map.
Result<> enter_mount_namespace();

}  // namespace sbx::backends
