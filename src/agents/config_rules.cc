// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agents/config_rules.h"

namespace sbx::agents {
namespace {

ConfigRule tree(std::string path) { return {.path = std::move(path), .kind = ConfigKind::kTree}; }

}  // namespace

std::vector<ConfigRule> claude_config() {
  return {
      {.path = ".claude/CLAUDE.md"},
      tree(".claude/commands"),
      tree(".claude/agents"),
      tree(".claude/skills"),
      tree(".claude/rules"),
      tree(".claude/output-styles"),
      {.path = ".claude/settings.json",
       .kind = ConfigKind::kJson,
       .keys = {"alwaysThinkingEnabled", "attribution", "cleanupPeriodDays", "editorMode", "effortLevel",
                "includeCoAuthoredBy", "language", "model", "outputStyle", "permissions.deny", "prefersReducedMotion",
                "respectGitignore", "showTurnDuration", "spinnerTipsEnabled", "theme", "verbose"}},
      {.path = ".claude.json",
       .kind = ConfigKind::kJson,
       .keys = {"autoCompactEnabled", "diffTool", "editorMode", "theme", "verbose"},
       .servers = "mcpServers",
       .is_state = true},
  };
}

std::vector<ConfigRule> codex_config() {
  return {
      {.path = ".codex/AGENTS.md"},
      tree(".codex/prompts"),
      tree(".codex/skills"),
      {.path = ".codex/config.toml",
       .kind = ConfigKind::kToml,
       .keys = {"features", "file_opener", "hide_agent_reasoning", "model", "model_reasoning_effort",
                "model_reasoning_summary", "model_verbosity", "personality", "project_doc_fallback_filenames",
                "project_doc_max_bytes", "show_raw_agent_reasoning", "tui", "web_search"},
       .servers = "mcp_servers"},
  };
}

std::vector<ConfigRule> gemini_config(const std::string& directory, const std::string& page) {
  return {
      {.path = directory + "/" + page},
      tree(directory + "/commands"),
      tree(directory + "/agents"),
      tree(directory + "/skills"),
      {.path = directory + "/settings.json",
       .kind = ConfigKind::kJson,
       .keys = {"context.fileName", "general.checkpointing", "general.vimMode", "model.name", "output", "ui"},
       .servers = "mcpServers"},
  };
}

std::vector<ConfigRule> opencode_config() {
  const std::string directory = ".config/opencode/";
  std::vector<ConfigRule> rules{{.path = directory + "AGENTS.md"}};
  for (const char* name : {"agent", "agents", "command", "commands", "skills", "themes"})
    rules.push_back(tree(directory + name));
  rules.push_back({.path = directory + "opencode.json",
                   .kind = ConfigKind::kJson,
                   .keys = {"model", "small_model", "theme", "tui", "username"},
                   .servers = "mcp"});
  return rules;
}

std::vector<ConfigRule> copilot_config() {
  return {
      {.path = ".copilot/copilot-instructions.md"},
      tree(".copilot/instructions"),
      tree(".copilot/agents"),
      tree(".copilot/skills"),
      {.path = ".copilot/mcp-config.json", .kind = ConfigKind::kJson, .servers = "mcpServers"},
  };
}

}  // namespace sbx::agents
