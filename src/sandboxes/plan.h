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
  config::Config config;
  policy::Rules rules;

  bool backend_chosen() const { return !request.backend.empty() || !config.backend.empty(); }
};

// The other sandboxes matter: what they can write to may hold links that mislead a mount.
Result<Plan> plan_for(const wire::CreateRequest& request, const Parts& parts, const Registry& registry);

}  // namespace sbx::sandboxes
