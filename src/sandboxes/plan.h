// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "config/config.h"
#include "policy/rules.h"
#include "sandboxes/parts.h"
#include "sandboxes/registry.h"
#include "wire/sandbox.h"

namespace sbx::sandboxes {

// A create request that has been checked, with everything filled in that it left to us.
struct Plan {
  wire::CreateRequest request;
  std::string template_name;
  std::vector<std::string> agent_command;  // how the agent is started
  config::Config config;
  policy::Rules rules;
  std::string note{};  // for the user to read

  bool backend_chosen() const { return !request.backend.empty() || !config.backend.empty(); }
};

// The request as far as it can be checked before it is known whether the sandbox is there: names and paths are in their
// canonical form then. The other sandboxes matter: what they can write to may hold links that mislead a mount.
Result<wire::CreateRequest> checked_request(wire::CreateRequest request, const Parts& parts, const Registry& registry);
// The same with what the git worktrees among its workspaces need of their repositories, where the rules of mounts allow
// it, and a line for the user about each.
struct WithRepositories {
  wire::CreateRequest request;
  std::string note;
};
WithRepositories with_repositories(wire::CreateRequest checked, const Parts& parts, const Registry& registry);
// For one that is not there.
Result<Plan> plan_for(wire::CreateRequest checked, const Parts& parts);

}  // namespace sbx::sandboxes
