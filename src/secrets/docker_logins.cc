// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/docker_logins.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/json.h"
#include "base/log.h"

namespace sbx::secrets {
namespace {

constexpr const char* kHubTokens = "auth.docker.io";
constexpr std::size_t kMostServers = 256;

bool is_hub(std::string_view host) {
  return host == "index.docker.io" || host == "docker.io" || host == "registry-1.docker.io";
}

const Json* member_object(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_object() ? &*found : nullptr;
}

std::string member_text(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// It becomes part of a program's name.
bool is_helper_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
}

std::string helper_for(const Json& config, const std::string& server) {
  if (const Json* helpers = member_object(config, "credHelpers"))
    if (std::string own = member_text(*helpers, server.c_str()); !own.empty()) return own;
  return member_text(config, "credsStore");
}

std::set<std::string> servers_in(const Json& config) {
  std::set<std::string> servers;
  for (const char* table : {"auths", "credHelpers"})
    if (const Json* entries = member_object(config, table))
      for (const auto& [server, entry] : entries->items())
        if (servers.size() < kMostServers) servers.insert(server);
  return servers;
}

std::optional<UserAndPassword> asked_of(const std::string& helper, const std::string& server, const AskHelper& ask) {
  if (!is_helper_name(helper)) return std::nullopt;
  const auto answer = ask(helper, server);
  if (!answer) {
    log_warning("the login of {} is not used: {}", server, answer.error().what());
    return std::nullopt;
  }
  const auto said = parse_json(*answer);
  if (!said || !said->is_object()) return std::nullopt;
  const std::string user = member_text(*said, "Username");
  if (user == "<token>") return std::nullopt;
  return UserAndPassword{user, member_text(*said, "Secret")};
}

std::optional<UserAndPassword> written_in(const Json& config, const std::string& server) {
  const Json* auths = member_object(config, "auths");
  const Json* entry = auths != nullptr ? member_object(*auths, server.c_str()) : nullptr;
  if (entry == nullptr || !member_text(*entry, "identitytoken").empty()) return std::nullopt;
  if (const std::string auth = member_text(*entry, "auth"); !auth.empty()) return decode_basic(auth);
  return UserAndPassword{member_text(*entry, "username"), member_text(*entry, "password")};
}

}  // namespace

Result<std::vector<RegistryLogin>> docker_logins(std::string_view config, const AskHelper& ask) {
  TRY_ASSIGN(const Json json, parse_json(config));
  if (!json.is_object()) return fail(Code::kInvalid, "docker's config.json is no JSON object");
  std::vector<RegistryLogin> logins;
  for (const std::string& server : servers_in(json)) {
    const auto host = registry_host(server);
    const std::string helper = helper_for(json, server);
    const auto known = !host ? std::nullopt : helper.empty() ? written_in(json, server) : asked_of(helper, server, ask);
    RegistryLogin login{"docker", server, {{is_hub(host.value_or("")) ? kHubTokens : host.value_or("")}, ""}, nullptr};
    auto made = known ? basic_login(std::move(login), known->user, known->password) : std::nullopt;
    if (made)
      logins.push_back(std::move(*made));
    else
      log_warning("docker's login of {} is not a user and a password, and is not used", server);
  }
  return logins;
}

}  // namespace sbx::secrets
