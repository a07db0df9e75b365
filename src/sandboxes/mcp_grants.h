// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sandboxes/policies.h"
#include "sandboxes/registry.h"
#include "store/store.h"
#include "wire/mcp.h"

namespace sbx::sandboxes {

// One of the same name is replaced.
std::vector<wire::McpGrant> merged_grants(std::vector<wire::McpGrant> grants, const std::vector<wire::McpGrant>& asked);

// Puts these in a record in place of those that it has, and notes which were taken away.
void set_grants(std::vector<wire::McpGrant> after, store::Record& record);

// What a change of grants changes in the network policy: the hosts of servers on the network.
struct RuleChange {
  std::vector<policy::Edit> given;
  std::vector<policy::Pattern> taken;  // those that no grant needs any more
};
Result<RuleChange> rule_change(const std::vector<wire::McpGrant>& before, const std::vector<wire::McpGrant>& after);
// Only what the rules allow is taken back: a rule that blocks the host is the user's own.
void take_back(const std::vector<policy::Pattern>& taken, policy::Rules& rules);

// Which MCP servers a sandbox may use, changed after it was made.
class McpGrants {
 public:
  McpGrants(const store::Store& store, const Registry& registry, const Policies& policies)
      : store_(store), registry_(registry), policies_(policies) {}

  // Takes away, then gives; all of them then. What is taken away ends at once, also what is open; if the running
  // machine cannot be told, the error says so, and it is taken away nevertheless. What is given counts from the next
  // start on. The host of a server on the network is allowed at once, and with the last grant that needs it allowed no
  // more.
  Result<std::vector<wire::McpGrant>> change(const std::string& name, const wire::McpChange& change);

  // Tells machines that run once more what was taken from them: a daemon may have died before it did.
  void renew() const;

 private:
  Result<> cut_off_held(const Sandbox& sandbox) const;
  Result<> set_rules(const Sandbox& sandbox, const std::vector<wire::McpGrant>& before,
                     const std::vector<wire::McpGrant>& after) const;

  const store::Store& store_;
  const Registry& registry_;
  const Policies& policies_;
};

}  // namespace sbx::sandboxes
