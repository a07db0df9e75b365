// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "backends/sharing.h"
#include "base/child.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// Where a helper of a machine (QEMU, virtiofsd) runs: namespaces of its own (mounts, processes, network, IPC, names), a
// root that is empty but for what is listed here and cannot be written to, and no new privileges.
// If the guest takes the program over, this is what it finds.
struct Jail {
  struct Placed {
    std::string path;  // absolute, in the jail
    Shared shared;     // attached there
  };
  std::vector<Placed> entries;
  std::vector<std::string> directories;                    // empty ones; parents come before children
  std::vector<std::pair<std::string, std::string>> links;  // path → target
  bool proc = false;                                       // a /proc of its own processes
  const Fd* user_namespace = nullptr;                      // entered once the root is in place
  std::uint32_t uid = 0;                                   // what it becomes, as named in its user namespace
  std::uint32_t gid = 0;
  std::vector<gid_t> groups;
  bool keeps_groups = false;        // an ordinary user's own: how it may open /dev/kvm
  bool keeps_capabilities = false;  // of the user namespace only: virtiofsd acts for every id of the guest's
};

// The loader and the libraries of the host's, where programs expect them.
Result<> add_libraries(Jail& jail);
// A file or directory of the system's, at the same path.
Result<> add_system(Jail& jail, const std::string& path);

Result<> add_device(Jail& jail, const std::string& path);

// Starts the command (argv[0] is a path in the jail) there. It dies with the calling thread for as long as that has the
// privileges to kill it; for what comes after there is the warden. The error tells which step of the setup failed.
Result<Child> start_jailed(const Jail& jail, Command command);

}  // namespace sbx::backends::qemu
