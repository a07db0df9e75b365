// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/npm_logins.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/base64.h"
#include "base/log.h"
#include "base/text.h"

namespace sbx::secrets {
namespace {

constexpr std::size_t kMostEntries = 1024;

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::optional<std::string> expanded(std::string_view text, const FindVariable& variable) {
  std::string out;
  for (auto at = text.find("${"); at != std::string_view::npos; at = text.find("${")) {
    const auto end = text.find('}', at);
    if (end == std::string_view::npos) break;
    const auto value = variable(std::string(text.substr(at + 2, end - at - 2)));
    if (!value) return std::nullopt;
    out.append(text.substr(0, at)).append(*value);
    text.remove_prefix(end + 1);
  }
  return out.append(text);
}

using Entries = std::map<std::string, std::string>;  // by key: _authToken
// By //host/path/, those with a short path first.
using Registries = std::map<std::pair<std::size_t, std::string>, Entries>;

void note_line(std::string_view line, const FindVariable& variable, Registries& registries) {
  const auto equals = line.find('=');
  if (!line.starts_with("//") || equals == std::string_view::npos) return;
  const std::string_view name = without_blanks(line.substr(0, equals));
  const auto colon = name.rfind(':');
  if (colon == std::string_view::npos) return;
  const auto value = expanded(unquoted(without_blanks(line.substr(equals + 1))), variable);
  if (!value || registries.size() >= kMostEntries) return;
  const std::string registry(name.substr(0, colon));
  registries[{registry.size(), registry}][std::string(name.substr(colon + 1))] = *value;
}

std::optional<RegistryLogin> login_of(RegistryLogin login, const Entries& entries) {
  const auto value = [&entries](const char* key) {
    const auto found = entries.find(key);
    return found == entries.end() ? std::string() : found->second;
  };
  if (const std::string token = value("_authToken"); !token.empty()) return bearer_login(std::move(login), token);
  if (const auto both = decode_basic(value("_auth"))) return basic_login(std::move(login), both->user, both->password);
  const auto password = from_base64(value("_password"));
  return password ? basic_login(std::move(login), value("username"), *password) : std::nullopt;
}

bool is_about_a_login(const Entries& entries) {
  return entries.contains("_authToken") || entries.contains("_auth") || entries.contains("_password");
}

}  // namespace

std::vector<RegistryLogin> npm_logins(std::string_view npmrc, const FindVariable& variable) {
  Registries registries;
  for (std::size_t at = 0; at < npmrc.size();) {
    const auto end = std::min(npmrc.find('\n', at), npmrc.size());
    note_line(without_blanks(npmrc.substr(at, end - at)), variable, registries);
    at = end + 1;
  }
  std::vector<RegistryLogin> logins;
  for (const auto& [registry, entries] : registries) {
    const auto host = registry_host(registry.second);
    if (!is_about_a_login(entries)) continue;
    auto login = host ? login_of({"npm", registry.second, {{*host}, ""}, nullptr}, entries) : std::nullopt;
    if (login)
      logins.push_back(std::move(*login));
    else
      log_warning("npm's login of {} cannot be used", printable(registry.second));
  }
  return logins;
}

}  // namespace sbx::secrets
