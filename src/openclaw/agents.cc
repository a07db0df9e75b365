// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/agents.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/json.h"
#include "base/text.h"
#include "openclaw/keys.h"

namespace sbx::openclaw {
namespace {

// What an agent may say for itself also where all share one sandbox.
constexpr std::string_view kOwnInShared[] = {"mode",  "scope",           "perSession",
                                             "tools", "workspaceAccess", "workspaceRoot"};

bool is_joined(std::string_view key) { return key == "binds" || key == "mounts"; }

void lay_over(Json& below, const Json& above) {
  for (const auto& [key, value] : above.items()) {
    const auto known = below.find(key);
    if (known == below.end())
      below[key] = value;
    else if (known->is_object() && value.is_object())
      lay_over(*known, value);
    else if (is_joined(key) && known->is_array() && value.is_array())
      known->insert(known->end(), value.begin(), value.end());
    else
      *known = value;
  }
}

bool is_shared(const Json& sandbox) {
  const auto scope = sandbox.find("scope");
  if (scope != sandbox.end()) return *scope == "shared";
  const auto per_session = sandbox.find("perSession");
  return per_session != sandbox.end() && *per_session == false;
}

Json only_own(const Json& sandbox) {
  Json own = Json::object();
  for (const auto& [key, value] : sandbox.items())
    if (std::ranges::find(kOwnInShared, key) != std::end(kOwnInShared)) own[key] = value;
  return own;
}

Result<const Json*> agents_in(const Json& document) {
  TRY(check_not_misspelt(document, "", "agents"));
  return object_in(&document, "", "agents");
}

// As session keys have it: there is no difference between small and large letters.
std::string id_of(std::string id) {
  std::ranges::transform(id, id.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return id;
}
std::string id_in(const Json& listed) { return id_of(listed["id"].get<std::string>()); }

// SECURITY: of two entries for one agent the other might be the stricter.
Result<> check_unlike(std::vector<std::string> ids, const char* key) {
  std::ranges::sort(ids);
  const auto twice = std::ranges::adjacent_find(ids);
  if (twice == ids.end()) return Ok{};
  return fail(Code::kInvalid, sbx::format("{}: the agent {} is there twice", key, printable(*twice)));
}

// Of agents.entries, by id; null: there are none.
Result<const Json*> agent_entries(const Json& document) {
  TRY_ASSIGN(const Json* agents, agents_in(document));
  TRY_ASSIGN(const Json* entries, object_in(agents, "agents", "entries"));
  if (entries == nullptr) return nullptr;
  std::vector<std::string> ids;
  for (const auto& [id, entry] : entries->items()) ids.push_back(id_of(id));
  TRY(check_unlike(std::move(ids), "agents.entries"));
  return entries;
}

// Of agents.list; null: there is none.
Result<const Json*> agent_list(const Json& document) {
  TRY_ASSIGN(const Json* agents, agents_in(document));
  if (agents == nullptr || !agents->contains("list")) return nullptr;
  const Json& list = agents->at("list");
  if (!list.is_array()) return fail(Code::kInvalid, "agents.list: must be a list");
  for (const Json& one : list)
    if (!one.is_object() || !one.contains("id") || !one["id"].is_string())
      return fail(Code::kInvalid, "agents.list: every agent has to be an object with an id");
  std::vector<std::string> ids;
  for (const Json& one : list) ids.push_back(id_in(one));
  TRY(check_unlike(std::move(ids), "agents.list"));
  return &list;
}

bool is_default(const Json& entry) {
  return entry.is_object() && entry.contains("default") && entry["default"] == true;
}

}  // namespace

Result<const Json*> object_in(const Json* parent, const std::string& path, const char* key) {
  if (parent == nullptr || !parent->contains(key)) return nullptr;
  const Json& value = parent->at(key);
  if (!value.is_object())
    return fail(Code::kInvalid, (path.empty() ? "" : path + ".") + key + ": must be an object, { ... }");
  return &value;
}

Result<const Json*> agent_defaults(const Json& document) {
  TRY_ASSIGN(const Json* agents, agents_in(document));
  if (agents == nullptr) return nullptr;
  TRY(check_not_misspelt(*agents, "agents", "defaults"));
  return object_in(agents, "agents", "defaults");
}

Result<const Json*> agent_entry(const Json& document, const std::string& agent) {
  TRY_ASSIGN(const Json* entries, agent_entries(document));
  if (entries != nullptr)
    for (const auto& [id, entry] : entries->items())
      if (id_of(id) == id_of(agent)) return object_in(entries, "agents.entries", id.c_str());
  TRY_ASSIGN(const Json* list, agent_list(document));
  if (list == nullptr) return nullptr;
  const auto found = std::ranges::find_if(*list, [&](const Json& one) { return id_in(one) == id_of(agent); });
  return found == list->end() ? nullptr : &*found;
}

Result<std::string> usual_agent(const Json& document) {
  TRY_ASSIGN(const Json* entries, agent_entries(document));
  if (entries != nullptr)
    for (const auto& [id, entry] : entries->items())
      if (is_default(entry)) return id_of(id);
  TRY_ASSIGN(const Json* list, agent_list(document));
  if (list == nullptr || list->empty()) return "main";
  const auto found = std::ranges::find_if(*list, is_default);
  return id_in(found == list->end() ? list->front() : *found);
}

Json merged_sandbox(const Json* defaults, const Json* agent) {
  Json merged = defaults == nullptr ? Json::object() : *defaults;
  if (agent == nullptr) return merged;
  Json both = merged;
  lay_over(both, *agent);
  if (!is_shared(both)) return both;
  lay_over(merged, only_own(*agent));
  return merged;
}

}  // namespace sbx::openclaw
