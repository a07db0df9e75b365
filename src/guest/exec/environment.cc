// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/environment.h"

#include <algorithm>

#include "guest/network/network_environment.h"

namespace sbx::guest {
namespace {

constexpr std::string_view kPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

wire::Environment base_of(const wire::GuestConfig& config, const Identity& identity, bool tty) {
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
  if (tty) base.emplace_back("TERM", "xterm-256color");
  if (config.network) add_network_variables(*config.network, base);
  return base;
}

bool is_called(const std::string& variable, std::string_view key) {
  return variable.size() > key.size() && variable[key.size()] == '=' && variable.starts_with(key);
}

void put(Variables& variables, const std::string& key, const std::string& value) {
  const auto it = std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return is_called(v, key); });
  if (it != variables.end())
    *it = key + "=" + value;
  else
    variables.push_back(key + "=" + value);
}

}  // namespace

Variables environment_of(const wire::GuestConfig& config, const Identity& identity, bool tty) {
  Variables variables;
  for (const auto& [key, value] : base_of(config, identity, tty)) variables.push_back(key + "=" + value);
  add(variables, config.environment);
  return variables;
}

void add(Variables& variables, const wire::Environment& more) {
  for (const auto& [key, value] : more) put(variables, key, value);
}

std::string_view value_of(const Variables& variables, std::string_view key) {
  for (const std::string& variable : variables)
    if (is_called(variable, key)) return std::string_view(variable).substr(key.size() + 1);
  return {};
}

}  // namespace sbx::guest
