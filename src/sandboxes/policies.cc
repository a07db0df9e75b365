// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/policies.h"

#include "base/fault.h"
#include "base/log.h"
#include "sandboxes/agent_hosts.h"
#include "sandboxes/policy_file.h"

namespace sbx::sandboxes {
namespace {

// It needs nothing of what was there, so that it also mends a file that cannot be read.
bool begin_with_reset(const std::vector<policy::Edit>& edits) {
  return !edits.empty() && edits.front().name == "reset";
}

Result<> tell_policy(const Sandbox& sandbox, const policy::Rules& rules) {
  auto told = sandbox.directory().gate().set_policy(rules);
  if (told) return Ok{};
  return fail(std::move(told)
                  .error()
                  .within("the policy in " + sandbox.directory().policy_file() +
                          " is changed, but the running sandbox may not keep to it")
                  .with_hint("sandbox stop " + sandbox.name()));
}

}  // namespace

Result<policy::Rules> Policies::rules_of(const Sandbox& sandbox) const {
  auto rules = read_policy_file(sandbox.directory().policy_file());
  if (!rules) return fail(std::move(rules).error().with_hint("sandbox network proxy " + sandbox.name() + " --reset"));
  return rules;
}

Result<policy::Rules> Policies::policy_of(const std::string& name) const {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  TRY(sandbox->usable());
  return rules_of(*sandbox);
}

Result<policy::Rules> Policies::edited(const Sandbox& sandbox, const std::vector<policy::Edit>& edits) const {
  // A file of agents that cannot be read must not keep a user from changing a policy.
  const agents::Catalogue agents = agents_().value_or(agents::Catalogue());
  const std::vector<policy::Edit> all = with_agent_hosts(edits, agents.find(sandbox.record().agent));
  if (begin_with_reset(edits)) return policy::edited(policy::default_rules(), all);
  TRY_ASSIGN(policy::Rules rules, rules_of(sandbox));
  return policy::edited(std::move(rules), all);
}

// The file first: a machine that starts a moment later must have the new rules.
Result<> Policies::set_held(const Sandbox& sandbox, const policy::Rules& rules) const {
  TRY(write_policy_file(sandbox.directory().policy_file(), rules));
  TRY(fault_step("policy.written"));
  return sandbox.running() ? tell_policy(sandbox, rules) : Ok{};
}

Result<policy::Rules> Policies::edit(const std::string& name, const std::vector<policy::Edit>& edits) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(sandbox->usable());
  TRY_ASSIGN(policy::Rules rules, edited(*sandbox, edits));
  TRY(set_held(*sandbox, rules));
  return rules;
}

void Policies::renew(const Sandbox& sandbox) const {
  const auto rules = rules_of(sandbox);
  const auto told = rules ? sandbox.directory().gate().set_policy(*rules) : fail(rules.error());
  if (!told) log_error("the network policy of {} is not renewed: {}", sandbox.name(), told.error().what());
}

}  // namespace sbx::sandboxes
