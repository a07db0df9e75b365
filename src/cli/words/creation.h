// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/flags.h"
#include "base/result.h"
#include "cli/context.h"
#include "wire/sandbox.h"

// What run and create have in common.
namespace sbx::cli {

// The request that the flags and workspaces describe. No workspace: the current directory, unless there is no agent:
// then it is about a sandbox that is there.
Result<wire::CreateRequest> create_request(const Context& context, const Arguments& arguments, std::string agent,
                                           std::span<const std::string> workspaces);

// Sends it and shows how far it is.
Result<wire::SandboxInfo> create_with_progress(const Context& context, const Client& client,
                                               const wire::CreateRequest& request, bool quiet);

}  // namespace sbx::cli
