// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/environment.h"

#include <algorithm>

#include "guest/network_environment.h"

namespace sbx::guest {
namespace {

constexpr std::string_view kPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

wire::Environment base_of(const wire::GuestConfig& config, const wire::ExecRequest& request, const Identity& identity) {
  const std::string name = identity.name.empty() ? std::to_string(identity.uid) : identity.name;
  wire::Environment base{
      {"PATH", std::string(kPath)},
      {"HOME", identity.home},
      {"USER", name},
      {"LOGNAME", name},
      {"SHELL", identity.shell},
      {"LANG", "C.UTF-8"},
      {"HOSTNAME", config.hostname},
      {"SANDBOX_VM_ID", config.id},
      {"SANDBOX_NAME", config.name},
  };
  if (!config.workspace.empty()) base.emplace_back("WORKSPACE_DIR", config.workspace);
  if (request.tty) base.emplace_back("TERM", "xterm-256color");
  if (config.network) add_network_variables(*config.network, base);
  return base;
}

void put(wire::Environment& environment, const std::string& key, const std::string& value) {
  const auto it = std::find_if(environment.begin(), environment.end(), [&](const auto& e) { return e.first == key; });
  if (it != environment.end())
    it->second = value;
  else
    environment.emplace_back(key, value);
}

}  // namespace

wire::Environment environment_of(const wire::GuestConfig& config, const wire::ExecRequest& request,
                                 const Identity& identity) {
  wire::Environment environment = base_of(config, request, identity);
  for (const auto& [key, value] : config.environment) put(environment, key, value);
  for (const auto& [key, value] : request.environment) put(environment, key, value);
  return environment;
}

std::string_view value_of(const wire::Environment& environment, std::string_view key) {
  for (const auto& [name, value] : environment)
    if (name == key) return value;
  return {};
}

std::vector<std::string> as_strings(const wire::Environment& environment) {
  std::vector<std::string> strings;
  strings.reserve(environment.size());
  for (const auto& [key, value] : environment) strings.push_back(key + "=" + value);
  return strings;
}

}  // namespace sbx::guest
