// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backends/backend.h"

namespace sbx::backends::oci {

// Tries to make a user namespace, as a sandbox would. The error says what the host is missing.
Result<> user_namespaces_work();

// What `sandbox diagnose` asks about containers: namespaces, subordinate ids, cgroups, the runtime, AppArmor, what
// bounds their disks.
std::vector<Check> host_checks(const std::vector<std::string>& runtimes, const std::string& home);

}  // namespace sbx::backends::oci
