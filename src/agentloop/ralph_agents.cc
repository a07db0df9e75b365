// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/ralph_agents.h"

#include <algorithm>
#include <cstdlib>

#include "agentloop/agent_line.h"
#include "base/child.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "base/value.h"

namespace sbx::agentloop {
namespace {

struct KnownAgent {
  std::string_view name;
  std::string_view type;  // as users know it
  std::string_view program;
  std::string_view title;
  std::string_view variable;  // names another program in its place
};
constexpr KnownAgent kKnownAgents[] = {
    {"opencode", "opencode", "opencode", "OpenCode", "RALPH_OPENCODE_BINARY"},
    {"claude", "claude-code", "claude", "Claude Code", "RALPH_CLAUDE_BINARY"},
    {"codex", "codex", "codex", "Codex", "RALPH_CODEX_BINARY"},
    {"copilot", "copilot", "copilot", "Copilot CLI", "RALPH_COPILOT_BINARY"},
    {"cursor", "cursor-agent", "cursor-agent", "Cursor Agent", "RALPH_CURSOR_BINARY"}};

struct RalphConfig {
  std::string version = "1.0";
  std::vector<OwnAgent> agents;
};
void describe(Members& members, RalphConfig& config) {
  members.optional("version", config.version);
  members.required("agents", config.agents);
}

std::string variable(std::string_view name) {
  const char* const value = std::getenv(std::string(name).c_str());
  return value == nullptr ? "" : value;
}

const KnownAgent* known_agent(const std::string& name) {
  const auto found = std::ranges::find(kKnownAgents, agent_called(name), &KnownAgent::name);
  return found == std::end(kKnownAgents) ? nullptr : &*found;
}

Result<AgentChoice> choice_of(const OwnAgent& own) {
  const KnownAgent* const like = known_agent(own.like.empty() ? own.type : own.like);
  if (like == nullptr)
    return fail(Code::kInvalid, sbx::format("--config: agent {}: \"argsTemplate\" {} is not an agent that ralph knows",
                                            printable(own.type), printable(own.like)));
  const std::string other = own.type == like->type ? variable(like->variable) : "";
  return AgentChoice{std::string(like->name), other.empty() ? own.command : other, ""};
}

}  // namespace

void describe(Members& members, OwnAgent& agent) {
  members.required("type", agent.type);
  members.required("command", agent.command);
  members.sparse("configName", agent.title);
  members.optional("argsTemplate", agent.like);
}

bool is_ralph_agent(const std::string& name) { return known_agent(name) != nullptr; }

Result<RalphAgents> RalphAgents::read(const std::string& path) {
  RalphAgents agents;
  const std::string file = path.empty() ? usual_ralph_config_path() : path;
  if (path.empty() && !exists(file)) return agents;
  TRY_ASSIGN(const std::string text, read_file(file));
  TRY_ASSIGN(RalphConfig config, value_in<RalphConfig>(text, file, Unknown::kIgnored));
  agents.own_ = std::move(config.agents);
  return agents;
}

Result<AgentChoice> RalphAgents::named(const std::string& name) const {
  const auto own = std::ranges::find(own_, name, &OwnAgent::type);
  if (own != own_.end()) return choice_of(*own);
  if (const KnownAgent* const agent = known_agent(name))
    return AgentChoice{std::string(agent->name), variable(agent->variable), ""};
  return fail(Code::kInvalid, sbx::format("unknown agent: {} ({})", printable(name), kRalphAgents));
}

Result<AgentChoice> RalphAgents::first_here() const {
  for (const KnownAgent& agent : kKnownAgents)
    if (!variable(agent.variable).empty() || find_program(std::string(agent.program)))
      return named(std::string(agent.type));
  return fail(Code::kNotFound, "none of the agents that ralph knows is here");
}

std::string usual_ralph_config_path() { return variable("HOME") + "/.config/open-ralph-wiggum/agents.json"; }

std::string usual_ralph_config() {
  RalphConfig config;
  for (const KnownAgent& agent : kKnownAgents)
    config.agents.push_back(
        {std::string(agent.type), std::string(agent.program), std::string(agent.title), std::string(agent.type)});
  return dump_pretty(json_of(config)) + "\n";
}

}  // namespace sbx::agentloop
