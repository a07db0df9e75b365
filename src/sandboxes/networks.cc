// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/networks.h"

#include <algorithm>
#include <iterator>

#include "base/file.h"
#include "base/log.h"
#include "policy/rules_file.h"
#include "sandboxes/publishing.h"

namespace sbx::sandboxes {
namespace {

constexpr std::size_t kLargestPem = 64u << 10;

}  // namespace

Result<wire::NetworkConfig> Networks::config_of(const Sandbox& sandbox) const {
  const store::Record record = sandbox.record();
  wire::NetworkConfig config;
  TRY_ASSIGN(const policy::Rules rules, policies_.rules_of(sandbox));
  config.rules = policy::encode(rules);
  config.hosts = record.hosts;
  config.ports = record.ports;
  TRY_ASSIGN(config.ca_certificate, read_file(sandbox.directory().certificate_file(), kLargestPem));
  return config;
}

Ports Networks::bound_ports(const Sandbox& sandbox) const {
  const Ports recorded = sandbox.record().ports;
  if (recorded.empty()) return {};
  auto ports = sandbox.directory().gate().ports();
  if (ports) return std::move(*ports);
  log_warning("the ports of {}: {}", sandbox.name(), ports.error().what());
  return recorded;
}

Result<Ports> Networks::change_ports(const std::string& name, const Ports& publish, const Ports& unpublish) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(sandbox->usable());
  TRY_WITHIN("unpublish ports of " + name, unpublish_held(*sandbox, unpublish));
  TRY_WITHIN("publish ports of " + name, publish_held(*sandbox, publish));
  return sandbox->info().ports;
}

Result<> Networks::unpublish_held(Sandbox& sandbox, const Ports& ports) {
  if (ports.empty()) return Ok{};
  store::Record record = sandbox.record();
  for (const auto& port : ports) {
    const auto recorded = recorded_as(record.ports, port);
    if (!recorded)
      return fail(Code::kNotFound, wire::text(port) + " is not published", "sandbox ports " + sandbox.name());
    std::erase(record.ports, *recorded);
  }
  if (sandbox.running()) TRY(sandbox.directory().gate().unpublish(ports));
  return save_ports(sandbox, record);
}

Result<> Networks::publish_held(Sandbox& sandbox, const Ports& ports) {
  if (ports.empty()) return Ok{};
  store::Record record = sandbox.record();
  record.ports.insert(record.ports.end(), ports.begin(), ports.end());
  TRY_ASSIGN(record.ports, checked_ports(record.ports));
  const Ports added(record.ports.end() - static_cast<std::ptrdiff_t>(ports.size()), record.ports.end());
  if (sandbox.running()) TRY(sandbox.directory().gate().publish(added));
  auto saved = save_ports(sandbox, record);
  // What the next start would not publish must not be left open now.
  if (!saved && sandbox.running()) (void)sandbox.directory().gate().unpublish(added);
  return saved;
}

Result<> Networks::publish_missing_held(Sandbox& sandbox, const Ports& ports) {
  const Ports published = sandbox.info().ports;
  Ports missing;
  std::ranges::copy_if(ports, std::back_inserter(missing), [&](const wire::PublishedPort& asked) {
    return std::ranges::none_of(published, [&](const auto& port) { return serves(port, asked); });
  });
  return publish_held(sandbox, missing);
}

Result<Hosts> Networks::add_hosts(const std::string& name, const Hosts& hosts) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(sandbox->usable());
  return add_hosts_held(*sandbox, hosts);
}

Result<Hosts> Networks::add_hosts_held(Sandbox& sandbox, const Hosts& hosts) {
  TRY_ASSIGN(const Hosts added, checked_hosts(hosts));
  store::Record record = sandbox.record();
  for (const auto& host : added) {
    const auto known = std::ranges::find(record.hosts, host.name, &wire::StaticHost::name);
    if (known != record.hosts.end())
      *known = host;
    else
      record.hosts.push_back(host);
  }
  if (record.hosts == sandbox.record().hosts) return record.hosts;
  TRY(store_.save(record));
  sandbox.set_record(record);
  if (sandbox.running())
    TRY_WITHIN("tell the running sandbox of its hosts", sandbox.directory().gate().set_hosts(record.hosts));
  return record.hosts;
}

netlog::Losses Networks::flush_log(const std::string& name, std::chrono::milliseconds limit) const {
  const auto sandbox = registry_.find(name);
  if (!sandbox || !(*sandbox)->running()) return {};
  const auto losses = (*sandbox)->directory().gate().flush_log(limit);
  if (losses) return *losses;
  log_warning("the network log of {} may miss the last moment: {}", name, losses.error().what());
  return {};
}

Result<> Networks::save_ports(Sandbox& sandbox, const store::Record& record) {
  TRY(store_.save(record));
  sandbox.set_record(record);
  if (sandbox.running()) sandbox.set_bound(bound_ports(sandbox));
  return Ok{};
}

}  // namespace sbx::sandboxes
