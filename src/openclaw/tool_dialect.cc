// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/tool_dialect.h"

#include "base/format.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/text.h"
#include "openclaw/agents.h"
#include "openclaw/keys.h"
#include "openclaw/tool_groups.h"

namespace sbx::openclaw {
namespace {

// `tools` of the document or of an agent has many keys that are none of ours; those of ours must not be misspelt.
constexpr std::string_view kGeneralKeys[] = {"allow", "alsoAllow", "deny", "profile", "sandbox"};

Result<> read_list(const Json* object, const std::string& path, const char* key,
                   std::optional<std::vector<std::string>>& into) {
  if (object == nullptr || !object->contains(key)) return Ok{};
  // A section of this one key: what else is in the object has been looked at.
  const Json only = {{key, object->at(key)}};
  const std::string_view name = key;
  TRY_ASSIGN(const Section section, Section::open(&only, path, {&name, 1}));
  TRY(section.texts(key, into));
  return check_tools(*into, section.path_of(key));
}

Result<ToolKeys> read_keys(const Json* object, const std::string& path) {
  ToolKeys keys;
  TRY(read_list(object, path, "allow", keys.allow));
  TRY(read_list(object, path, "alsoAllow", keys.also_allow));
  TRY(read_list(object, path, "deny", keys.deny));
  if (keys.allow && !keys.allow->empty() && keys.also_allow && !keys.also_allow->empty())
    return fail(Code::kInvalid, path + " has allow and alsoAllow: the first is the whole list, so add to it");
  return keys;
}

Result<> add_general(const Json* tools, const std::string& path, std::vector<ToolLayer>& layers) {
  if (tools == nullptr) return Ok{};
  for (const std::string_view key : kGeneralKeys) TRY(check_not_misspelt(*tools, path, key));
  TRY_ASSIGN(const ToolKeys keys, read_keys(tools, path));
  if (tools->contains("profile")) {
    const Json& profile = tools->at("profile");
    if (!profile.is_string() || !is_profile(profile.get<std::string>()))
      return fail(Code::kInvalid, path + ".profile: must be minimal, coding, messaging or full");
    layers.push_back(profile_layer(profile.get<std::string>(), keys, path));
  }
  if (keys.allow || keys.deny) layers.push_back(general_layer(keys, path));
  return Ok{};
}

// <tools>.sandbox.tools; null: it is not there.
Result<const Json*> nested_tools(const Json* tools, const std::string& path) {
  constexpr std::string_view kOnlyKey[] = {"tools"};
  TRY_ASSIGN(const Json* sandbox, object_in(tools, path, "sandbox"));
  TRY(Section::open(sandbox, path + ".sandbox", kOnlyKey));
  TRY_ASSIGN(const Json* nested, object_in(sandbox, path + ".sandbox", "tools"));
  TRY(Section::open(nested, path + ".sandbox.tools", tools_keys()));
  return nested;
}

}  // namespace

Result<std::vector<ToolLayer>> read_tools(const Json& document, const Json* agent, const Section& sandbox,
                                          const std::string& agent_path) {
  std::vector<ToolLayer> layers;
  const std::string agent_tools = agent_path + ".tools";
  TRY_ASSIGN(const Json* general, object_in(&document, "", "tools"));
  TRY_ASSIGN(const Json* own, object_in(agent, agent_path, "tools"));
  TRY(add_general(general, "tools", layers));
  TRY(add_general(own, agent_tools, layers));

  TRY(Section::open(sandbox.find("tools"), sandbox.path_of("tools"), tools_keys()));
  TRY_ASSIGN(const Json* for_all, nested_tools(general, "tools"));
  TRY_ASSIGN(const Json* for_agent, nested_tools(own, agent_tools));
  const Json* nested = for_agent != nullptr ? for_agent : for_all;
  const std::string nested_path = (for_agent != nullptr ? agent_tools : "tools") + ".sandbox.tools";
  if (sandbox.find("tools") != nullptr && nested != nullptr)
    return fail(Code::kInvalid, sandbox.path_of("tools") + " and " + nested_path + " say the same: leave one out");
  const bool is_nested = nested != nullptr;
  const std::string path = is_nested ? nested_path : sandbox.path_of("tools");
  TRY_ASSIGN(const ToolKeys keys, read_keys(is_nested ? nested : sandbox.find("tools"), path));
  layers.push_back(sandbox_layer(keys, path));
  return layers;
}

}  // namespace sbx::openclaw
