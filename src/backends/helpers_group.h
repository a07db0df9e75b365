// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/backend.h"

namespace sbx::backends {

// What the processes of the host that serve a machine may use together: its shim and gate, and what they start but a
// container, which has limits of its own. A microVM is among them: its size is added.
wire::Limits helper_limits(const MachineSpec& spec, bool machine_included);

// Moves the calling process, a shim that has started nothing yet, into a control group with these limits, so that what
// a guest makes its helpers use is bounded. Not a condition of running: an ordinary user may have no groups; a failure
// where there should be some is logged. Backend::clean_up removes the group.
void enter_helpers_group(const MachineSpec& spec, const Backend& backend);

}  // namespace sbx::backends
