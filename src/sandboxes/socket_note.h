// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/backend.h"

namespace sbx::sandboxes {

// What the user should know of the host's sockets in what a new sandbox shares: how many there are, and their names.
// Usually empty.
std::string socket_note(const backends::CoveredSockets& sockets);

}  // namespace sbx::sandboxes
