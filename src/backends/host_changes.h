// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "backends/backend.h"
#include "base/result.h"
#include "idmap/idmap.h"

namespace sbx::backends {

// Where a program on the host finds the files that a sandbox has changed.
struct HostDirectory {
  std::string path;                       // in the form of overlayfs' upper directory; may not be there: no changes
  std::function<int()> before_exec = {};  // Command's, of the program: afterwards the path is there
  idmap::IdMap ids = {};                  // whose the files are; empty: the program's own user namespace tells
};

// A backend whose guests write to files of the host's has this interface, too. Of others only the guest can tell what
// it has changed:
//   if (const auto* host = dynamic_cast<const HostChanges*>(&backend)) { ... host->changes_of(spec, shim) ... }
class HostChanges {
 public:
  virtual ~HostChanges() = default;
  // `shim`: of the machine, if it runs. It must be running or stopped until the program has been started.
  virtual Result<HostDirectory> changes_of(const MachineSpec& spec, std::optional<pid_t> shim) const = 0;
};

}  // namespace sbx::backends
