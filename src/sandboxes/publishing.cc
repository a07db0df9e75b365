// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/publishing.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "policy/host.h"

namespace sbx::sandboxes {
namespace {

Result<wire::PublishedPort> checked_port(wire::PublishedPort port) {
  const auto address = policy::Address::parse(port.host_ip);
  if (!address) return fail(Code::kInvalid, "publish on \"" + printable(port.host_ip) + "\": it is not an address");
  port.host_ip = address->text();
  return port;
}

Result<wire::StaticHost> checked_host(const wire::StaticHost& host) {
  TRY_ASSIGN(const auto name, policy::Host::parse(host.name));
  if (name.address()) return fail(Code::kInvalid, "\"" + name.text() + "\" is an address, not a name");
  // SECURITY: rules say localhost and mean the host's own ports; it must not become the name of something else.
  if (name.is_local()) return fail(Code::kInvalid, "\"" + name.text() + "\" is the host itself");
  const auto address = policy::Address::parse(host.address);
  if (!address) return fail(Code::kInvalid, "\"" + printable(host.address) + "\" is not an address");
  return wire::StaticHost{name.text(), address->text()};
}

}  // namespace

Result<Ports> checked_ports(const Ports& ports) {
  if (ports.size() > kMostPorts)
    return fail(Code::kInvalid, "a sandbox can publish at most " + std::to_string(kMostPorts) + " ports");
  Ports checked;
  for (const auto& asked : ports) {
    TRY_ASSIGN(const auto port, checked_port(asked));
    const bool taken = std::ranges::any_of(checked, [&](const wire::PublishedPort& other) {
      return other == port ||
             (port.host_port != 0 && other.host_ip == port.host_ip && other.host_port == port.host_port);
    });
    if (taken) return fail(Code::kConflict, "publish " + wire::text(port) + ": that port is published already");
    checked.push_back(port);
  }
  return checked;
}

Result<std::vector<wire::StaticHost>> checked_hosts(const std::vector<wire::StaticHost>& hosts) {
  std::vector<wire::StaticHost> checked;
  std::set<std::string> names;
  for (const auto& asked : hosts) {
    auto host = checked_host(asked);
    if (!host) return fail(std::move(host).error().within("static host").as(Code::kInvalid));
    if (!names.insert(host->name).second)
      return fail(Code::kInvalid, "static host: \"" + host->name + "\" is there twice");
    checked.push_back(std::move(*host));
  }
  return checked;
}

bool serves(const wire::PublishedPort& published, const wire::PublishedPort& asked) {
  const bool is_v6 = asked.host_ip.find(':') != std::string::npos;
  const bool is_every_address = published.host_ip == (is_v6 ? "::" : "0.0.0.0");
  return published.port == asked.port && (is_every_address || published.host_ip == asked.host_ip) &&
         (asked.host_port == 0 || published.host_port == asked.host_port);
}

std::optional<wire::PublishedPort> recorded_as(const Ports& recorded, const wire::PublishedPort& bound) {
  wire::PublishedPort open = bound;
  open.host_port = 0;
  for (const auto& wanted : {bound, open})
    if (std::ranges::find(recorded, wanted) != recorded.end()) return wanted;
  return std::nullopt;
}

}  // namespace sbx::sandboxes
