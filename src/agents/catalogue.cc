// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agents/catalogue.h"

#include <algorithm>
#include <cctype>

#include "agents/recipe.h"
#include "base/file.h"
#include "base/text.h"
#include "base/value.h"

namespace sbx::agents {

struct AgentFile {
  std::vector<Agent> agents;
};
void describe(Members& members, AgentFile& file) { members.required("agents", file.agents); }

namespace {

constexpr std::size_t kLargestFile = 1u << 20;
constexpr std::size_t kLongestName = 32;

bool is_name(std::string_view name) {
  return name.size() >= 2 && name.size() <= kLongestName &&
         std::islower(static_cast<unsigned char>(name.front())) != 0 && std::ranges::all_of(name, [](unsigned char c) {
           return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
         });
}

// A file's path is one in the agent's home.
bool is_in_home(std::string_view path) {
  const auto parts = split(path, '/');
  return !path.empty() &&
         std::ranges::none_of(parts, [](const std::string& part) { return part.empty() || part == ".."; }) &&
         path.find_first_of(" \n") == std::string_view::npos;
}

// The recipe has these as words of a line, and texts in here-documents that end with EOF.
bool is_word(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("@/._,+-~^").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool ends_itself(std::string_view text) {
  return ("\n" + std::string(text) + "\n").find("\nEOF\n") != std::string::npos;
}

bool is_variable(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

Result<> check(const Agent& agent) {
  const auto wrong = [&](const std::string& why) {
    return fail(Code::kInvalid, "agent \"" + printable(agent.name) + "\": " + why);
  };
  if (!is_name(agent.name)) return wrong("a name has 2 to 32 small letters, digits and hyphens, a letter first");
  if (agents::find(agent.name) != nullptr || is_recipe_of_ours(agent.name) || agent.name == "build")
    return wrong("there is one of ours by this name");
  if (agent.command.empty()) return wrong("\"command\" is empty");
  const int ways = !agent.package.empty() + !agent.install.empty() + !agent.image.empty();
  if (ways > 1) return wrong("it has one of \"package\", \"install\" and \"template\", not several");
  if (!agent.package.empty() && agent.version.empty())
    return wrong("\"package\" needs a \"version\", which may be latest");
  for (const std::string* word : {&agent.package, &agent.version, &agent.scripts})
    if (!is_word(*word)) return wrong("\"" + printable(*word) + "\" is no package or version");
  if (ends_itself(agent.install)) return wrong("\"install\" has a line that is EOF");
  for (const auto& [name, value] : agent.environment)
    if (!is_variable(name)) return wrong("\"" + printable(name) + "\" is no name of a variable");
  for (const ConfigFile& file : agent.files)
    if (ends_itself(file.content)) return wrong("\"" + printable(file.path) + "\" has a line that is EOF");
  for (const ConfigRule& rule : agent.config)
    if (!is_in_home(rule.path)) return wrong("\"" + printable(rule.path) + "\" is no path in a home");
  if (!agent.guidance.empty() && !is_in_home(agent.guidance.substr(agent.guidance.starts_with('/') ? 1 : 0)))
    return wrong("\"" + printable(agent.guidance) + "\" is no path");
  for (const ConfigFile& file : agent.files)
    if (!is_in_home(file.path)) return wrong("\"" + printable(file.path) + "\" is no path in the agent's home");
  return Ok{};
}

// The last line of a here-document stands alone, and what is put into one ends with a line.
void end_lines(Agent& agent) {
  for (ConfigFile& file : agent.files)
    if (!file.content.ends_with('\n')) file.content += '\n';
}

}  // namespace

Result<Catalogue> Catalogue::parse(std::string_view text) {
  TRY_ASSIGN(AgentFile file, value_in<AgentFile>(text, "agents"));
  Catalogue catalogue;
  for (Agent& agent : file.agents) {
    TRY(check(agent));
    if (catalogue.find(agent.name) != nullptr)
      return fail(Code::kInvalid, "agent \"" + agent.name + "\" is there twice");
    end_lines(agent);
    catalogue.agents_.push_back(std::move(agent));
  }
  return catalogue;
}

Result<Catalogue> Catalogue::read(const std::string& path) {
  const auto text = read_file(path, kLargestFile);
  if (!text && text.error().code() == Code::kNotFound) return Catalogue();
  TRY(text);
  auto catalogue = parse(*text);
  if (!catalogue) return fail(std::move(catalogue).error().within(path));
  return catalogue;
}

const Agent* Catalogue::find(std::string_view name) const {
  for (const Agent& agent : agents_)
    if (agent.name == name || (!agent.alias.empty() && agent.alias == name)) return &agent;
  return nullptr;
}

}  // namespace sbx::agents
