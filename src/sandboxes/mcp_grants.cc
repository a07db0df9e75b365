// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/mcp_grants.h"

#include <algorithm>

#include "base/format.h"
#include "base/log.h"
#include "base/text.h"
#include "policy/target.h"
#include "sandboxes/mcp_servers.h"

namespace sbx::sandboxes {
namespace {

using Grants = std::vector<wire::McpGrant>;

bool has(const Grants& grants, const wire::McpGrant& grant) { return std::ranges::find(grants, grant) != grants.end(); }

Grants without(const Grants& all, const Grants& some) {
  Grants rest;
  for (const wire::McpGrant& grant : all)
    if (!has(some, grant)) rest.push_back(grant);
  return rest;
}

bool names(const Grants& grants, const std::string& name) {
  return std::ranges::find(grants, name, &wire::McpGrant::name) != grants.end();
}

// To take away once more what is taken away is no error: the daemon may have died in the middle of the first time.
Result<Grants> without_named(Grants grants, const Grants& revoked, const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted)
    if (std::erase_if(grants, [&](const wire::McpGrant& grant) { return grant.name == name; }) == 0 &&
        !names(revoked, name))
      return fail(Code::kNotFound, sbx::format("MCP server \"{}\" was not granted to this sandbox", printable(name)),
                  "sandbox mcp ls");
  return grants;
}

// The rule that lets a sandbox reach each of these that is on the network.
Result<std::vector<policy::Pattern>> patterns_of(const Grants& grants) {
  std::vector<policy::Pattern> patterns;
  for (const wire::McpGrant& grant : grants) {
    if (grant.url.empty()) continue;
    TRY_ASSIGN(const policy::Target target, policy::parse_target(grant.url));
    TRY_ASSIGN(policy::Pattern pattern, policy::Pattern::parse(target.text()));
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

}  // namespace

Result<RuleChange> rule_change(const Grants& before, const Grants& after) {
  RuleChange change;
  TRY_ASSIGN(const auto given, patterns_of(without(after, before)));
  for (const policy::Pattern& pattern : given) change.given.push_back({"allow-host", pattern.text()});
  TRY_ASSIGN(change.taken, patterns_of(without(before, after)));
  TRY_ASSIGN(const auto needed, patterns_of(after));
  std::erase_if(change.taken,
                [&](const policy::Pattern& one) { return std::ranges::find(needed, one) != needed.end(); });
  return change;
}

void take_back(const std::vector<policy::Pattern>& taken, policy::Rules& rules) {
  for (const policy::Pattern& pattern : taken) std::erase(rules.allowed, pattern);
}

void set_grants(Grants after, store::Record& record) {
  const Grants revoked = without(record.mcp, after);
  record.mcp_revoked = without(merged_grants(std::move(record.mcp_revoked), revoked), after);
  record.mcp = std::move(after);
}

std::vector<wire::McpGrant> merged_grants(Grants grants, const Grants& asked) {
  for (const wire::McpGrant& grant : asked) {
    std::erase_if(grants, [&](const wire::McpGrant& known) { return known.name == grant.name && known != grant; });
    if (!has(grants, grant)) grants.push_back(grant);
  }
  return grants;
}

Result<> McpGrants::set_rules(const Sandbox& sandbox, const Grants& before, const Grants& after) const {
  TRY_ASSIGN(const RuleChange change, rule_change(before, after));
  if (change.taken.empty() && change.given.empty()) return Ok{};
  TRY_ASSIGN(policy::Rules rules, policies_.edited(sandbox, change.given));
  take_back(change.taken, rules);
  return policies_.set_held(sandbox, rules);
}

Result<> McpGrants::cut_off_held(const Sandbox& sandbox) const {
  if (!sandbox.running()) return Ok{};
  for (const wire::McpGrant& grant : sandbox.record().mcp_revoked)
    if (grant.url.empty())
      TRY_WITHIN("cut the running sandbox off from MCP server " + grant.name + ", which it may not use any more",
                 sandbox.directory().shim().revoke_mcp(grant.name));
  return Ok{};
}

void McpGrants::renew() const {
  for (const auto& sandbox : registry_.all()) {
    if (sandbox->record().mcp_revoked.empty()) continue;
    const std::scoped_lock held(sandbox->operation());
    if (const auto cut = cut_off_held(*sandbox); !cut) log_warning("{}: {}", sandbox->name(), cut.error().what());
  }
}

// Order for a revoke, so that a crash leaves fewer rights, not more: rules, then the record (no new connections), then
// the shim, which closes the open ones.
Result<std::vector<wire::McpGrant>> McpGrants::change(const std::string& name, const wire::McpChange& change) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(sandbox->usable());
  TRY(check_grants(change.grant, registry_));
  store::Record record = sandbox->record();
  const Grants before = record.mcp;
  TRY_ASSIGN(Grants rest, without_named(before, record.mcp_revoked, change.revoke));
  set_grants(merged_grants(std::move(rest), change.grant), record);
  TRY(patterns_of(record.mcp));  // before anything is changed
  const auto ruled = set_rules(*sandbox, before, record.mcp);
  if (!change.grant.empty()) TRY(ruled);
  TRY(store_.save(record));
  sandbox->set_record(record);
  TRY(cut_off_held(*sandbox));
  TRY(ruled);
  return record.mcp;
}

}  // namespace sbx::sandboxes
