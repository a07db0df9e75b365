// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/mcp_server.h"

#include <algorithm>

#include "base/text.h"
#include "userconfig/secrets.h"

namespace sbx::userconfig {
namespace {

// The members that a server of ours may have; agents differ in their words. Any other, such as "headers", keeps it out.
constexpr std::string_view kMembers[] = {
    "type",     "command", "args",  "env",   "environment",         "enabled",         "timeout",
    "disabled", "cwd",     "tools", "trust", "startup_timeout_sec", "tool_timeout_sec"};
constexpr std::string_view kLocalTypes[] = {"stdio", "local"};

const Json* member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

bool is_list_of_texts(const Json& value) {
  return value.is_array() && std::ranges::all_of(value, [](const Json& item) { return item.is_string(); });
}

// The command and its arguments; nothing if it is none.
std::vector<std::string> command_line_of(const Json& server) {
  std::vector<std::string> words;
  const Json* const command = member(server, "command");
  const Json* const arguments = member(server, "args");
  if (command == nullptr) return {};
  if (command->is_string())
    words.push_back(command->get<std::string>());
  else if (is_list_of_texts(*command))
    words = command->get<std::vector<std::string>>();
  else
    return {};
  if (arguments != nullptr && !is_list_of_texts(*arguments)) return {};
  if (arguments != nullptr)
    for (const Json& word : *arguments) words.push_back(word.get<std::string>());
  return words;
}

bool is_in(const std::string& path, const std::vector<std::string>& workspaces) {
  return path.find("..") == std::string::npos && std::ranges::any_of(workspaces, [&](const std::string& workspace) {
           return path.starts_with(workspace + "/");
         });
}

std::string reason_of_words(const std::vector<std::string>& words, const std::vector<std::string>& workspaces) {
  if (words.empty() || words.front().empty()) return "it is no command";
  if (words.front().find('/') != std::string::npos && !is_in(words.front(), workspaces))
    return "its program is one of the host's";
  for (const std::string& word : words) {
    if (word.starts_with('-') && names_key(word))
      return "its argument " + printable(word.substr(0, word.find('='))) + " is for a key";
    if (!is_in(word, workspaces) && may_be_key(word)) return "an argument may be a key";
  }
  return {};
}

std::string reason_of_variables(const Json& variables) {
  if (!variables.is_object()) return "its variables are none";
  for (const auto& [name, value] : variables.items()) {
    if (!value.is_string()) return "its variable " + printable(name) + " is no text";
    const std::string text = value.get<std::string>();
    if (may_be_key(text) || (names_key(name) && !text.starts_with('$')))
      return "its variable " + printable(name) + " may be a key";
  }
  return {};
}

}  // namespace

std::string reason_to_leave(const Json& server, const std::vector<std::string>& workspaces) {
  if (!server.is_object()) return "it is no server";
  if (const Json* type = member(server, "type");
      type != nullptr &&
      (!type->is_string() || std::ranges::find(kLocalTypes, type->get<std::string>()) == std::end(kLocalTypes)))
    return "it is reached over the network";
  if (member(server, "url") != nullptr || member(server, "httpUrl") != nullptr) return "it is reached over the network";
  for (const auto& [name, value] : server.items())
    if (std::ranges::find(kMembers, name) == std::end(kMembers))
      return "its \"" + printable(name) + "\" is not on the list";
  if (std::string reason = reason_of_words(command_line_of(server), workspaces); !reason.empty()) return reason;
  for (const char* name : {"env", "environment"})
    if (const Json* variables = member(server, name))
      if (std::string reason = reason_of_variables(*variables); !reason.empty()) return reason;
  return {};
}

}  // namespace sbx::userconfig
