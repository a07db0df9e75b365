// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "images/templates.h"
#include "sandboxes/parts.h"
#include "sandboxes/registry.h"
#include "wire/agent.h"

namespace sbx::sandboxes {

// Brings the sandboxes of an agent to a newer template of that agent. All that was changed in them stays: it lies on
// top of the template. That is sound only where the two differ in nothing but the agent's own layer, the last one:
// under the changes of a sandbox, say its list of installed packages, a newer system would fall apart.
class Successions {
 public:
  Successions(const Parts& parts, Registry& registry) : parts_(parts), registry_(registry) {}

  // What became of each sandbox of that agent. One that runs is brought over by its next start.
  std::vector<wire::UpdatedSandbox> bring_over(const std::string& agent, const images::Template& successor);

 private:
  wire::UpdatedSandbox bring_over_held(Sandbox& sandbox, const store::TemplateRef& successor);

  const Parts& parts_;
  Registry& registry_;
};

// At the start of a sandbox: the template that waits for it takes the place of its own.
Result<> take_successor_held(Sandbox& sandbox, const store::Store& store);

}  // namespace sbx::sandboxes
