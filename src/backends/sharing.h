// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "wire/sandbox.h"

namespace sbx::backends {

// Something of the host's, as the guest is to see it: a mount that is not attached anywhere yet.
struct Shared {
  Fd tree;
  bool directory = true;
};

// A workspace or -v mount, with the guest's ids, and read only where asked. As root: whoever owns it is guest 1000, and
// guest ids live from `id_base` on; for an ordinary user the namespace that it is mounted in has the map.
Result<Shared> share_mount(const wire::Mount& mount, std::uint32_t id_base);

// A file or directory of the system's, read only, for programs that need it.
Result<Shared> share_system(const std::string& path);

// Makes an empty directory or file at this path and mounts it there.
Result<> attach(const Shared& shared, const std::string& at);

// Puts the calling process, which must have one thread, into a mount namespace that it may change, and which others do
// not see; for an ordinary user also into a user namespace with the rootless map.
Result<> enter_mount_namespace();

}  // namespace sbx::backends
