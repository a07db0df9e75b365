// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/backend.h"

namespace sbx::sandboxes {

// One short line about a new sandbox whose wall is weaker, or whose machine is slower, than hardware could make it;
// empty if there is nothing to say. `chosen`: the user asked for this backend. `kvm`: what the host has of it.
std::string isolation_note(wire::Isolation isolation, bool chosen, const backends::Check& kvm);

}  // namespace sbx::sandboxes
