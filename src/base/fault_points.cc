// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/fault_points.h"

#include <array>

namespace sbx {
namespace {

constexpr std::array kPoints{
    FaultPoint{"create.reserved", "sandboxd"},           // the state directory is there
    FaultPoint{"create.recorded", "sandboxd"},           // and a record that says "creating"
    FaultPoint{"create.template", "sandboxd"},           // the template is there
    FaultPoint{"create.prepared", "sandboxd"},           // and what the backend makes of it
    FaultPoint{"create.ready", "sandboxd"},              // the record says "ready"
    FaultPoint{"start.parts", "sandboxd"},               // what the machine is made of is there
    FaultPoint{"start.prepared", "sandboxd"},            // machine.json is there
    FaultPoint{"start.spawned", "sandboxd"},             // the shim runs
    FaultPoint{"shim.started", "sandbox-shim"},          // it has read what to start
    FaultPoint{"shim.mounted", "sandbox-shim"},          // the guest's root is mounted
    FaultPoint{"shim.runtime-started", "sandbox-shim"},  // init runs
    FaultPoint{"shim.ready", "sandbox-shim"},            // init is ready, the daemon is not told yet
    FaultPoint{"start.ready", "sandboxd"},               // the daemon knows
    FaultPoint{"policy.written", "sandboxd"},            // the file has the new rules, the machine the old ones
    FaultPoint{"exec.checked", "sandboxd"},              // before the client is handed over
    FaultPoint{"exec.handed", "sandboxd"},               // the shim has the client, or has answered
    FaultPoint{"shim.exec", "sandbox-shim"},             // it has the request, and has begun nothing
    FaultPoint{"shim.noted", "sandbox-shim"},            // it counts as started, the guest has not been asked
    FaultPoint{"stop.asked", "sandboxd"},                // the shim has been told
    FaultPoint{"shim.stopping", "sandbox-shim"},         // it has told the guest
    FaultPoint{"stop.ended", "sandboxd"},                // the shim is gone, its leftovers are not
    FaultPoint{"remove.marked", "sandboxd"},             // the record says "removing"
    FaultPoint{"remove.stopped", "sandboxd"},            // nothing runs any more
    FaultPoint{"remove.destroyed", "sandboxd"},          // the writable layer is gone
    FaultPoint{"remove.record-gone", "sandboxd"},        // only an empty directory is left
};

}  // namespace

std::span<const FaultPoint> fault_points() { return kPoints; }

}  // namespace sbx
