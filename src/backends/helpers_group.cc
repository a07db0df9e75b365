// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/helpers_group.h"

#include <algorithm>

#include "backends/oci/cgroup.h"
#include "base/log.h"

namespace sbx::backends {
namespace {

// Kilobytes for each of a guest's connections, and what QEMU translates.
constexpr std::int64_t kHelpersMemory = 1ll << 30;
constexpr std::int64_t kProcesses = 1024;

}  // namespace

wire::Limits helper_limits(const MachineSpec& spec, bool machine_included) {
  wire::Limits limits;
  limits.memory = kHelpersMemory + (machine_included ? spec.limits.memory : 0);
  limits.pids = kProcesses;
  // A processor at least, because what the user waits for goes through them; one more than the machine's own.
  if (spec.limits.cpus > 0) limits.cpus = machine_included ? spec.limits.cpus + 1 : std::max(1.0, spec.limits.cpus);
  return limits;
}

void enter_helpers_group(const MachineSpec& spec, const Backend& backend) {
  const auto cgroups = oci::Cgroups::detect();
  if (!cgroups.writable()) return;
  const bool machine_included = backend.traits().own_kernel;  // which runs in one of the helpers
  if (auto entered = cgroups.enter_helpers(spec.id, helper_limits(spec, machine_included)); !entered)
    log_warning("the shim and what it starts are not limited: {}", entered.error().what());
}

}  // namespace sbx::backends
