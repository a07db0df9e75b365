// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/filter.h"

#include <algorithm>

#include "base/text.h"
#include "userconfig/mcp_server.h"
#include "userconfig/secrets.h"

namespace sbx::userconfig {
namespace {

bool holds_key(const Json& value) {
  if (value.is_string()) return may_be_key(value.get<std::string>());
  if (!value.is_structured()) return false;
  if (value.is_object())
    for (const auto& [name, item] : value.items())
      if (names_key(name)) return true;
  return std::ranges::any_of(value, holds_key);
}

const Json* at(const Json& settings, const std::vector<std::string>& names) {
  const Json* place = &settings;
  for (const std::string& name : names) {
    if (!place->is_object() || !place->contains(name)) return nullptr;
    place = &(*place)[name];
  }
  return place;
}

void put(Json& settings, const std::vector<std::string>& names, const Json& value) {
  Json* place = &settings;
  for (const std::string& name : names) place = &(*place)[name];
  *place = value;
}

class Filter {
 public:
  Filter(const Json& settings, const agents::ConfigRule& rule, const std::vector<std::string>& workspaces)
      : settings_(settings), rule_(rule), workspaces_(workspaces) {}

  Filtered run() {
    for (const std::string& key : rule_.keys) take_key(key);
    if (!rule_.servers.empty()) take_all_servers();
    if (!rule_.is_state) tell_others();
    return std::move(filtered_);
  }

 private:
  void take_key(const std::string& key) {
    const auto names = split(key, '.');
    const Json* const value = at(settings_, names);
    if (value == nullptr) return;
    if (holds_key(*value)) return filtered_.left.push_back(key + ": it may be a key");
    put(filtered_.kept, names, *value);
    filtered_.taken.push_back(key);
  }

  void take_all_servers() {
    take_servers(at(settings_, {rule_.servers}));
    for (const std::string& workspace : workspaces_)
      take_servers(at(settings_, {"projects", workspace, rule_.servers}));
  }

  void take_servers(const Json* servers) {
    if (servers == nullptr || !servers->is_object()) return;
    for (const auto& [name, server] : servers->items()) {
      const std::string shown = "MCP server " + printable(name);
      const std::string reason =
          names_key(name) && may_be_key(name) ? "its name may be a key" : reason_to_leave(server, workspaces_);
      if (!reason.empty()) {
        filtered_.left.push_back(shown + ": " + reason);
        continue;
      }
      filtered_.kept[rule_.servers][name] = server;
      filtered_.taken.push_back(shown);
    }
  }

  // Members that are on no list. By their first name only: one of them may be listed in part.
  void tell_others() {
    for (const auto& [name, value] : settings_.items()) {
      const bool listed = name == rule_.servers || std::ranges::any_of(rule_.keys, [&](const std::string& key) {
                            return split(key, '.').front() == name;
                          });
      if (!listed) filtered_.left.push_back(printable(name) + ": it is not on the list");
    }
  }

  const Json& settings_;
  const agents::ConfigRule& rule_;
  const std::vector<std::string>& workspaces_;
  Filtered filtered_;
};

}  // namespace

Filtered filter(const Json& settings, const agents::ConfigRule& rule, const std::vector<std::string>& workspaces) {
  if (!settings.is_object()) return {Json::object(), {}, {"it is no object"}};
  return Filter(settings, rule, workspaces).run();
}

Json merged(Json under, const Json& over) {
  if (!under.is_object() || !over.is_object()) return over;
  for (const auto& [name, value] : over.items())
    under[name] = under.contains(name) ? merged(under[name], value) : value;
  return under;
}

}  // namespace sbx::userconfig
