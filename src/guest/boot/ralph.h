// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

// The program `ralph` of the guest: sandbox-init itself under that name (agentloop/ralph.h). Agents' loops use it in
// here, and a loop on the host runs its turns by it.
namespace sbx::guest {

// Puts it at wire::kRalph and, unless the template has one of its own, on the PATH.
Result<> offer_ralph();

// Whether this process was started as ralph.
bool is_ralph(int argc, char** argv);

}  // namespace sbx::guest
