// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

// `sandbox-mcp NAME`, which is sandbox-init by another name: connects its standard input and output to an MCP server
// that this sandbox was granted. It is the command in the agent's configuration.
namespace sbx::guest {

bool is_mcp_program(int argc, char** argv);
int run_mcp_program(int argc, char** argv);

}  // namespace sbx::guest
