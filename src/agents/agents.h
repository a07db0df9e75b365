// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/choice.h"
#include "base/members.h"

namespace sbx::agents {

// A file of the agent's own configuration, made with its template. What the user changes in a sandbox stays.
struct ConfigFile {
  std::string path;  // in the agent's home: ".claude.json"
  std::string content;
};

// What --agent-config may take of the user's own configuration (src/userconfig).
enum class ConfigKind { kText, kTree, kJson, kToml };
constexpr auto choices(ConfigKind) {
  return std::to_array<Choice<ConfigKind>>({{ConfigKind::kText, "text"},
                                            {ConfigKind::kTree, "tree"},
                                            {ConfigKind::kJson, "json"},
                                            {ConfigKind::kToml, "toml"}});
}
struct ConfigRule {
  std::string path;  // in the home, the user's and the agent's
  ConfigKind kind = ConfigKind::kText;
  std::vector<std::string> keys{};  // of json and toml: the members that are taken, such as "ui.theme"
  std::string servers{};            // and the one that has MCP servers
  bool is_state = false;            // a file with more than settings: what is not taken of it is not told
};

// An agent that `run` knows by name: how it is started, and what its template is made of. The table is in agents.cc: a
// new agent is a new row.
struct Agent {
  std::string name;
  std::vector<std::string> command;  // how it is started, unattended
  std::string package{};             // in the npm registry; empty: it has none
  std::string version{};             // of the package, unless another is asked for
  std::string scripts{};             // packages whose install scripts have to run
  std::string install{};             // shell lines, as root, for one with no package
  std::string image{};               // a template that has it already, in the place of one that is built
  std::vector<ConfigFile> files{};   // so that it asks nothing at its first start
  std::vector<std::pair<std::string, std::string>> environment{};  // of all programs in its sandboxes
  std::vector<ConfigRule> config{};                                // what --agent-config takes
  // Where it reads the page for the model (guidance.h): absolute, or in its home; empty: nowhere.
  std::string guidance{};
  std::string service{};             // whose credentials it works with
  std::vector<std::string> hosts{};  // that its sandboxes may reach even where the policy of new ones is deny
  std::string alias{};               // another name that users know it by
  bool any_service = false;          // it works with the credentials of every service
  // That --preset agent allows in its sandboxes, besides the hosts of its credentials: for its login and its models.
  std::vector<std::string> preset_hosts{};

  // Whether its sandboxes have a template of their own; "shell" is the base system.
  bool has_recipe() const { return !package.empty() || !install.empty(); }
  std::string template_name() const { return !image.empty() ? image : has_recipe() ? name : "shell"; }
};

void describe(Members& members, ConfigFile& file);
void describe(Members& members, ConfigRule& rule);
void describe(Members& members, Agent& agent);

// Ours; catalogue.h has the user's own besides.
const std::vector<Agent>& table();
const Agent* find(std::string_view name);  // or alias
std::vector<std::string> names();

// The agent's own command (`usual`) with the user's arguments (after --): appended to its flags if the first begins
// with '-', in the place of its flags otherwise. For the agent shell, a first word without '-' is the command to run.
std::vector<std::string> command_line(const std::string& agent, const std::vector<std::string>& usual,
                                      const std::vector<std::string>& arguments);

}  // namespace sbx::agents
