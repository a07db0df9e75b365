// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "agents/catalogue.h"
#include "base/result.h"
#include "policy/edits.h"
#include "policy/rules.h"
#include "sandboxes/registry.h"

namespace sbx::sandboxes {

// The network policies of sandboxes, each as its file says.
class Policies {
 public:
  Policies(const Registry& registry, std::function<Result<agents::Catalogue>()> agents)
      : registry_(registry), agents_(std::move(agents)) {}

  Result<policy::Rules> policy_of(const std::string& name) const;
  // One change, written for good and told to the machine if it runs; if that cannot be told, the error says so, and the
  // file is changed nevertheless. Edits at once do not lose each other.
  Result<policy::Rules> edit(const std::string& name, const std::vector<policy::Edit>& edits);
  // The same in two steps, for one that is held: what the rules would be, and that they are.
  Result<policy::Rules> edited(const Sandbox& sandbox, const std::vector<policy::Edit>& edits) const;
  Result<> set_held(const Sandbox& sandbox, const policy::Rules& rules) const;

  // For a start. The hint of an error says how to mend the file.
  Result<policy::Rules> rules_of(const Sandbox& sandbox) const;
  // Tells a running machine what its file says. A failure is logged.
  void renew(const Sandbox& sandbox) const;

 private:
  const Registry& registry_;
  std::function<Result<agents::Catalogue>()> agents_;
};

}  // namespace sbx::sandboxes
