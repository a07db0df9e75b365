// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace sbx::userconfig {

// Why a server of the Model Context Protocol stays on the host: it is reached over the network, its program is one of
// the host's, or a part of it may be a key. Empty: it may go into a sandbox.
std::string reason_to_leave(const Json& server, const std::vector<std::string>& workspaces);

}  // namespace sbx::userconfig
