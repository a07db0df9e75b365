// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/environment.h"

#include <algorithm>

#include "base/file.h"
#include "guest/boot/browser.h"
#include "guest/network/network_environment.h"
#include "guest/network/offered_socket.h"

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
      {"BROWSER", kBrowser},
  };
  if (!config.workspace.empty()) base.emplace_back("WORKSPACE_DIR", config.workspace);
  if (tty) base.emplace_back("TERM", "xterm-256color");
  if (config.network) add_network_variables(*config.network, base);
  if (config.ssh_agent) base.emplace_back("SSH_AUTH_SOCK", kSshAgentSocket);
  return base;
}

// "de_DE.UTF-8" is in the directory "de_DE.utf8", or in the archive of all that locale-gen has made.
bool has_locale(const std::string& root, const std::string& value) {
  if (value == "C" || value == "POSIX" || value == "C.UTF-8" || value == "C.utf8") return true;
  if (value.find('/') != std::string::npos) return false;
  const std::size_t dot = value.find('.');
  std::string name = value.substr(0, dot);
  if (dot != std::string::npos) {
    name += '.';
    for (const char c : value.substr(dot + 1))
      if (c != '-') name += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  const std::string locales = root + "/usr/lib/locale/";
  return exists(locales + name) || exists(locales + "locale-archive");
}

// A name of the database, or a rule that needs none: "CET-1CEST".
bool has_time_zone(const std::string& root, const std::string& value) {
  if (value.starts_with('/') || value.find("..") != std::string::npos) return false;
  if (exists(root + "/usr/share/zoneinfo/" + value)) return true;
  return value.find('/') == std::string::npos && value.find_first_of("0123456789") != std::string::npos;
}

bool means_something(const std::string& root, const std::string& key, const std::string& value) {
  if (value.empty()) return false;
  if (key == "TZ") return has_time_zone(root, value);
  if (key == "LANG" || key == "LANGUAGE" || key.starts_with("LC_")) return has_locale(root, value);
  return true;
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

void add_preferences(Variables& variables, const wire::GuestConfig& config, const wire::Environment& preferences,
                     const std::string& root) {
  for (const auto& [key, value] : preferences) {
    const bool is_chosen =
        std::ranges::find(config.environment, key, &wire::Environment::value_type::first) != config.environment.end();
    if (!is_chosen && means_something(root, key, value)) put(variables, key, value);
  }
}

std::string_view value_of(const Variables& variables, std::string_view key) {
  for (const std::string& variable : variables)
    if (is_called(variable, key)) return std::string_view(variable).substr(key.size() + 1);
  return {};
}

}  // namespace sbx::guest
