// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json.h"
#include "base/result.h"
#include "cli/mcp/tools.h"

// What a client can read without calling a tool:
//   sandbox://sandboxes          the sandboxes in the scope
//   sandbox://sandboxes/NAME     one of them, and sandbox://sandboxes/NAME/log what its detached commands print: the
//   last
//                                200 lines, at most 64 KiB
//   sandbox://scope              directories that the server may use, and the network policy of new sandboxes
namespace sbx::cli::mcp {

Result<Json> resource_list(Session& session);
Json resource_templates();
// The answer to resources/read {"uri"}.
Result<Json> read_resource(Session& session, const Json& parameters);

}  // namespace sbx::cli::mcp
