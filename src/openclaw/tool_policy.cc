// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/tool_policy.h"

#include <algorithm>
#include <cctype>

#include "base/format.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/words.h"
#include "openclaw/tool_groups.h"

namespace sbx::openclaw {
namespace {

constexpr std::string_view kGroupPrefix = "group:";
constexpr std::size_t kLongestEntry = 128;

// Names of the same tool.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"bash", "exec"}, {"apply-patch", "apply_patch"}, {"automations", "cron"}};

const ToolGroup* group_called(std::string_view name) {
  const auto groups = tool_groups();
  const auto found = std::ranges::find(groups, name, &ToolGroup::name);
  return found == groups.end() ? nullptr : &*found;
}

// * stands for any characters, none too; every other character for itself. In time of the product of both lengths.
bool is_match(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool covers(std::string_view entry, std::string_view tool) {
  const std::string name = tool_name(entry);
  if (!name.starts_with(kGroupPrefix)) return is_match(name, tool);
  const ToolGroup* group = group_called(name);
  return group != nullptr && std::ranges::any_of(words_of(group->tools), [&](const auto& one) { return one == tool; });
}

// The entry of the list that covers the tool; empty: none does.
std::string covering(const ToolList& list, std::string_view tool) {
  const auto found = std::ranges::find_if(list.entries, [&](const auto& entry) { return covers(entry, tool); });
  return found == list.entries.end() ? "" : *found;
}

std::vector<std::string> texts_of(std::span<const std::string_view> words) { return {words.begin(), words.end()}; }

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

ToolVerdict decided_by(const ToolLayer& layer, std::string_view tool) {
  if (const std::string entry = covering(layer.deny, tool); !entry.empty())
    return {false, layer.deny.key + " has " + printable(entry)};
  if (layer.allow.entries.empty()) return {true, layer.allow.key + " is empty: all is allowed that is not denied"};
  if (const std::string entry = covering(layer.allow, tool); !entry.empty())
    return {true, layer.allow.key + " has " + printable(entry)};
  return {false, layer.allow.key + " does not have it"};
}

}  // namespace

std::string tool_name(std::string_view text) {
  std::string name(trimmed(text));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const auto& [alias, meant] : kAliases)
    if (name == alias) return std::string(meant);
  return name;
}

Result<> check_tools(const std::vector<std::string>& entries, const std::string& key) {
  for (const std::string& entry : entries) {
    const std::string name = tool_name(entry);
    if (name.empty() || name.size() > kLongestEntry) return fail(Code::kInvalid, key + ": an entry is no tool's name");
    if (!name.starts_with(kGroupPrefix) || group_called(name) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const ToolGroup& group : tool_groups()) names.push_back(group.name);
    const std::string_view meant = nearest_word(name, names);
    return fail(Code::kInvalid, sbx::format("{}: there is no {}", key, printable(name)),
                meant.empty() ? "one of " + join(names, ", ") : std::string(meant));
  }
  return Ok{};
}

bool is_profile(std::string_view name) {
  return std::ranges::any_of(tool_profiles(), [&](const ToolGroup& profile) { return profile.name == name; });
}

ToolLayer sandbox_layer(const ToolKeys& keys, const std::string& key) {
  ToolLayer layer;
  layer.sandbox_only = true;
  layer.allow = {keys.allow.value_or(texts_of(usual_allow())), key + ".allow" + (keys.allow ? "" : " (default)")};
  if (keys.also_allow) append(layer.allow.entries, *keys.also_allow);
  layer.deny = {keys.deny.value_or(texts_of(usual_deny())), key + ".deny" + (keys.deny ? "" : " (default)")};
  if (keys.deny) return layer;
  ToolList named{keys.allow.value_or(std::vector<std::string>()), ""};
  if (keys.also_allow) append(named.entries, *keys.also_allow);
  // By its own name: a pattern or a group was not written with this very tool in mind.
  std::erase_if(named.entries, [](const std::string& entry) { return entry.find_first_of("*:") != std::string::npos; });
  std::erase_if(layer.deny.entries, [&](const auto& denied) { return !covering(named, tool_name(denied)).empty(); });
  return layer;
}

ToolLayer general_layer(const ToolKeys& keys, const std::string& key) {
  ToolLayer layer;
  layer.deny = {keys.deny.value_or(std::vector<std::string>()), key + ".deny"};
  layer.allow = {keys.allow.value_or(std::vector<std::string>()), key + ".allow"};
  return layer;
}

ToolLayer profile_layer(std::string_view profile, const ToolKeys& keys, const std::string& key) {
  const auto profiles = tool_profiles();
  const auto found = std::ranges::find(profiles, profile, &ToolGroup::name);
  ToolLayer layer;
  layer.allow.key = key + ".profile " + std::string(profile);
  if (found == profiles.end() || found->tools.empty()) return layer;
  layer.allow.entries = words_of(found->tools);
  if (keys.also_allow) append(layer.allow.entries, *keys.also_allow);
  return layer;
}

ToolVerdict decide_tool(const std::vector<ToolLayer>& layers, std::string_view tool, bool sandboxed) {
  const std::string name = tool_name(tool);
  ToolVerdict verdict{true, "no list of tools is about it"};
  for (const ToolLayer& layer : layers) {
    if (layer.sandbox_only && !sandboxed) continue;
    verdict = decided_by(layer, name);
    if (!verdict.allowed) return verdict;
  }
  return verdict;
}

}  // namespace sbx::openclaw
