// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/record.h"
#include "wire/guest_mcp.h"

namespace sbx::sandboxes {

// What a sandbox's guest is told of its MCP servers, in the words of its agent.
wire::GuestMcp guest_mcp(const store::Record& record);

}  // namespace sbx::sandboxes
