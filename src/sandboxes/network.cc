// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/fault.h"
#include "base/file.h"
#include "base/log.h"
#include "policy/edits.h"
#include "policy/rules_file.h"
#include "sandboxes/gate.h"
#include "sandboxes/policy_file.h"
#include "sandboxes/publishing.h"
#include "sandboxes/sandboxes.h"

namespace sbx::sandboxes {
namespace {

constexpr std::size_t kLargestPem = 64u << 10;

// It needs nothing of what was there, so that it also mends a file that cannot be read.
bool begin_with_reset(const std::vector<policy::Edit>& edits) {
  return !edits.empty() && edits.front().name == "reset";
}

}  // namespace

std::string Sandboxes::policy_path_of(const std::string& name) const {
  return directory_of(name) + "/proxy-config.json";
}

Result<policy::Rules> Sandboxes::rules_of(const std::string& name) const {
  auto rules = read_policy_file(policy_path_of(name));
  if (!rules) return fail(std::move(rules).error().with_hint("sandbox network proxy " + name + " --reset"));
  return rules;
}

Result<policy::Rules> Sandboxes::policy_of(const std::string& name) const {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  TRY(sandbox->usable());
  return rules_of(name);
}

// The file first: a machine that starts a moment later must have the new rules.
Result<policy::Rules> Sandboxes::edit_policy(const std::string& name, const std::vector<policy::Edit>& edits) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(sandbox->usable());
  policy::Rules rules = policy::default_rules();
  if (!begin_with_reset(edits)) {
    TRY_ASSIGN(rules, rules_of(name));
  }
  TRY_ASSIGN(rules, policy::edited(std::move(rules), edits));
  TRY(write_policy_file(policy_path_of(name), rules));
  TRY(fault_step("policy.written"));
  if (sandbox->running()) TRY(tell_policy(name, rules));
  return rules;
}

Result<> Sandboxes::tell_policy(const std::string& name, const policy::Rules& rules) const {
  auto told = gate_of(name).set_policy(rules);
  if (told) return Ok{};
  return fail(
      std::move(told)
          .error()
          .within("the policy in " + policy_path_of(name) + " is changed, but the running sandbox may not keep to it")
          .with_hint("sandbox stop " + name));
}

Result<wire::NetworkConfig> Sandboxes::network_config(const store::Record& record) const {
  wire::NetworkConfig config;
  TRY_ASSIGN(const policy::Rules rules, rules_of(record.name));
  config.rules = policy::encode(rules);
  config.hosts = record.hosts;
  config.ports = record.ports;
  TRY_ASSIGN(config.ca_certificate, read_file(directory_of(record.name) + "/proxy_cacerts/proxy-ca.crt", kLargestPem));
  return config;
}

// What the gate has bound; if it cannot say, what it was told to bind.
Ports Sandboxes::bound_ports(const store::Record& record) const {
  if (record.ports.empty()) return {};
  auto ports = gate_of(record.name).ports();
  if (ports) return std::move(*ports);
  log_warning("the ports of {}: {}", record.name, ports.error().what());
  return record.ports;
}

Result<Ports> Sandboxes::change_ports(const std::string& name, const Ports& publish, const Ports& unpublish) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(sandbox->usable());
  TRY_WITHIN("unpublish ports of " + name, unpublish_held(*sandbox, unpublish));
  TRY_WITHIN("publish ports of " + name, publish_held(*sandbox, publish));
  return info_of(*sandbox).ports;
}

Result<> Sandboxes::unpublish_held(Sandbox& sandbox, const Ports& ports) {
  if (ports.empty()) return Ok{};
  store::Record record = sandbox.record();
  for (const auto& port : ports) {
    const auto recorded = recorded_as(record.ports, port);
    if (!recorded)
      return fail(Code::kNotFound, wire::text(port) + " is not published", "sandbox ports " + sandbox.name());
    std::erase(record.ports, *recorded);
  }
  if (sandbox.running()) TRY(gate_of(sandbox.name()).unpublish(ports));
  return save_ports(sandbox, record);
}

Result<> Sandboxes::publish_held(Sandbox& sandbox, const Ports& ports) {
  if (ports.empty()) return Ok{};
  store::Record record = sandbox.record();
  record.ports.insert(record.ports.end(), ports.begin(), ports.end());
  TRY_ASSIGN(record.ports, checked_ports(record.ports));
  const Ports added(record.ports.end() - static_cast<std::ptrdiff_t>(ports.size()), record.ports.end());
  if (sandbox.running()) TRY(gate_of(sandbox.name()).publish(added));
  auto saved = save_ports(sandbox, record);
  // What the next start would not publish must not be left open now.
  if (!saved && sandbox.running()) (void)gate_of(sandbox.name()).unpublish(added);
  return saved;
}

Result<Hosts> Sandboxes::add_hosts(const std::string& name, const Hosts& hosts) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(sandbox->usable());
  TRY_ASSIGN(const Hosts added, checked_hosts(hosts));
  store::Record record = sandbox->record();
  for (const auto& host : added) {
    std::erase_if(record.hosts, [&](const wire::StaticHost& other) { return other.name == host.name; });
    record.hosts.push_back(host);
  }
  TRY(store_.save(record));
  sandbox->set_record(record);
  if (sandbox->running()) TRY_WITHIN("tell the running sandbox of its hosts", gate_of(name).set_hosts(record.hosts));
  return record.hosts;
}

netlog::Losses Sandboxes::flush_log(const std::string& name, std::chrono::milliseconds limit) const {
  const auto sandbox = registry_.find(name);
  if (!sandbox || !(*sandbox)->running()) return {};
  const auto losses = gate_of(name).flush_log(limit);
  if (losses) return *losses;
  log_warning("the network log of {} may miss the last moment: {}", name, losses.error().what());
  return {};
}

Result<> Sandboxes::save_ports(Sandbox& sandbox, const store::Record& record) {
  TRY(store_.save(record));
  sandbox.set_record(record);
  if (sandbox.running()) sandbox.set_bound(bound_ports(record));
  return Ok{};
}

}  // namespace sbx::sandboxes
