// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agents/agents.h"

#include "agents/config_rules.h"

namespace sbx::agents {
namespace {

// Trust in "/" is trust in every directory: Claude Code asks for the parents, too.
constexpr const char* kClaudeState = R"({
  "hasCompletedOnboarding": true,
  "hasSeenAutoDefaultNudge": true,
  "bypassPermissionsModeAccepted": true,
  "customApiKeyResponses": {"approved": ["proxy-managed"], "rejected": []},
  "projects": {"/": {"hasTrustDialogAccepted": true}}
}
)";
constexpr const char* kClaudeSettings = R"({
  "permissions": {"defaultMode": "bypassPermissions"},
  "skipDangerousModePermissionPrompt": true,
  "enableAllProjectMcpServers": true
}
)";
constexpr const char* kCodexConfig = R"(approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[projects."/"]
trust_level = "trusted"

[notice]
hide_full_access_warning = true
)";
constexpr const char* kGeminiSettings = R"({
  "general": {"disableAutoUpdate": true, "disableUpdateNag": true, "enableAutoUpdate": false},
  "security": {"folderTrust": {"enabled": false}},
  "tools": {"sandbox": false},
  "ui": {"theme": "Default"}
}
)";
constexpr const char* kCopilotConfig = R"({
  "trusted_folders": ["/"],
  "banner": "never"
}
)";
constexpr const char* kOpencodeConfig = R"({
  "$schema": "https://opencode.ai/config.json",
  "autoupdate": false,
  "permission": "allow"
}
)";
constexpr const char* kQwenSettings = R"({
  "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
  "security": {"folderTrust": {"enabled": false}},
  "tools": {"approvalMode": "yolo", "sandbox": false}
}
)";
constexpr const char* kAmpSettings = R"({
  "amp.dangerouslyAllowAll": true,
  "amp.updates.mode": "disabled"
}
)";

// Their makers have no package in the npm registry: these run where the network has the install script.
constexpr const char* kInstallCursor =
    "su agent -c 'curl -fsS https://cursor.com/install | bash' && ln -sf /home/agent/.local/bin/cursor-agent "
    "/usr/local/bin/cursor-agent";
constexpr const char* kInstallKiro =
    "su agent -c 'curl -fsSL https://cli.kiro.dev/install | bash' && ln -sf /home/agent/.local/bin/kiro-cli "
    "/usr/local/bin/kiro";
constexpr const char* kInstallCagent =
    "curl -fsSL -o /usr/local/bin/cagent "
    "https://github.com/docker/cagent/releases/latest/download/cagent-linux-$(dpkg --print-architecture) && "
    "chmod 755 /usr/local/bin/cagent";

}  // namespace

const std::vector<Agent>& table() {
  static const std::vector<Agent> agents{
      {.name = "claude",
       .command = {"claude", "--dangerously-skip-permissions"},
       .package = "@anthropic-ai/claude-code",
       .version = "2.1.326",
       .scripts = "@anthropic-ai/claude-code",
       .files = {{".claude.json", kClaudeState}, {".claude/settings.json", kClaudeSettings}},
       .environment = {{"DISABLE_AUTOUPDATER", "1"}, {"IS_SANDBOX", "1"}},
       .config = claude_config(),
       .guidance = "/etc/claude-code/CLAUDE.md",
       .service = "anthropic",
       .preset_hosts = {"claude.ai", "console.anthropic.com", "platform.claude.com"}},
      {.name = "codex",
       .command = {"codex", "--dangerously-bypass-approvals-and-sandbox"},
       .package = "@openai/codex",
       .version = "0.169.0",
       .files = {{".codex/config.toml", kCodexConfig}},
       .config = codex_config(),
       .guidance = ".codex/AGENTS.md",
       .service = "openai",
       .preset_hosts = {"auth.openai.com"}},
      {.name = "gemini",
       .command = {"gemini", "--yolo"},
       .package = "@google/gemini-cli",
       .version = "0.61.0",
       .files = {{".gemini/settings.json", kGeminiSettings}},
       .config = gemini_config(".gemini", "GEMINI.md"),
       .guidance = ".gemini/GEMINI.md",
       .service = "google",
       .preset_hosts = {"accounts.google.com", "oauth2.googleapis.com", "cloudcode-pa.googleapis.com"}},
      {.name = "copilot",
       .command = {"copilot", "--yolo"},
       .package = "@github/copilot",
       .version = "1.0.102",
       .files = {{".copilot/config.json", kCopilotConfig}},
       .environment = {{"COPILOT_AUTO_UPDATE", "false"}},
       .config = copilot_config(),
       .guidance = ".copilot/copilot-instructions.md",
       .service = "github",
       .preset_hosts = {"*.githubcopilot.com"}},
      {.name = "opencode",
       .command = {"opencode"},
       .package = "opencode-ai",
       .version = "1.18.33",
       .scripts = "opencode-ai",
       .files = {{".config/opencode/opencode.json", kOpencodeConfig}},
       .environment = {{"OPENCODE_DISABLE_AUTOUPDATE", "1"}},
       .config = opencode_config(),
       .guidance = ".config/opencode/AGENTS.md",
       .any_service = true,
       .preset_hosts = {"opencode.ai", "models.dev", "auth.openai.com"}},
      {.name = "qwen",
       .command = {"qwen", "--yolo"},
       .package = "@qwen-code/qwen-code",
       .version = "0.24.4",
       .files = {{".qwen/settings.json", kQwenSettings}},
       .config = gemini_config(".qwen", "QWEN.md"),
       .guidance = ".qwen/QWEN.md",
       .any_service = true,
       .preset_hosts = {"chat.qwen.ai", "portal.qwen.ai", "dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"}},
      {.name = "crush",
       .command = {"crush", "--yolo"},
       .package = "@charmland/crush",
       .version = "0.96.1",
       .scripts = "@charmland/crush",
       .guidance = ".config/crush/CRUSH.md",
       .any_service = true,
       .preset_hosts = {"catwalk.charm.sh", "catwalk.charm.land"}},
      {.name = "pi",
       .command = {"pi"},
       .package = "@mariozechner/pi-coding-agent",
       .version = "0.73.1",
       .config = {{.path = ".pi/agent/AGENTS.md"}},
       .guidance = ".pi/agent/AGENTS.md",
       .any_service = true},
      {.name = "amp",
       .command = {"amp"},
       .package = "@sourcegraph/amp",
       .version = "0.0.1790142911-g7618fb",
       .scripts = "@ampcode/cli",
       .files = {{".config/amp/settings.json", kAmpSettings}},
       .config = {{.path = ".config/amp/AGENTS.md"}},
       .guidance = ".config/amp/AGENTS.md",
       .service = "amp"},
      {.name = "droid",
       .command = {"droid", "--auto", "high"},
       .package = "droid",
       .version = "0.215.0",
       .scripts = "droid",
       .config = {{.path = ".factory/AGENTS.md"}},
       .guidance = ".factory/AGENTS.md",
       .service = "droid",
       .preset_hosts = {"*.factory.ai"}},
      {.name = "kiro",
       .command = {"kiro", "chat", "--trust-all-tools"},
       .install = kInstallKiro,
       .guidance = ".kiro/steering/sandbox.md",
       .preset_hosts = {"*.kiro.dev", "q.us-east-1.amazonaws.com", "codewhisperer.us-east-1.amazonaws.com",
                        "oidc.us-east-1.amazonaws.com", "cognito-identity.us-east-1.amazonaws.com"}},
      {.name = "cagent",
       .command = {"cagent", "run", "--yolo"},
       .install = kInstallCagent,
       .alias = "docker-agent",
       .any_service = true},
      {.name = "cursor",
       .command = {"cursor-agent", "--yolo"},
       .install = kInstallCursor,
       .service = "cursor",
       .preset_hosts = {"*.cursor.sh", "*.cursor.com"}},
      {.name = "shell", .command = {"bash", "-l"}},
  };
  return agents;
}

const Agent* find(std::string_view name) {
  for (const Agent& agent : table())
    if (agent.name == name || (!agent.alias.empty() && agent.alias == name)) return &agent;
  return nullptr;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Agent& agent : table()) all.push_back(agent.name);
  return all;
}

std::vector<std::string> command_line(const std::string& agent, const std::vector<std::string>& usual,
                                      const std::vector<std::string>& arguments) {
  const bool begins_with_word = !arguments.empty() && !arguments.front().starts_with('-');
  // A shell has no words of its own: what is meant is a command.
  if (begins_with_word && agent == "shell") return arguments;
  std::vector<std::string> command = usual;
  if (begins_with_word) command.resize(1);
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

void describe(Members& members, ConfigFile& file) {
  members.required("path", file.path);
  members.required("content", file.content);
}

void describe(Members& members, ConfigRule& rule) {
  members.required("path", rule.path);
  members.optional("kind", rule.kind);
  members.sparse("keys", rule.keys);
  members.sparse("servers", rule.servers);
}

void describe(Members& members, Agent& agent) {
  members.required("name", agent.name);
  members.required("command", agent.command);
  members.sparse("package", agent.package);
  members.sparse("version", agent.version);
  members.sparse("scripts", agent.scripts);
  members.sparse("install", agent.install);
  members.sparse("template", agent.image);
  members.sparse("files", agent.files);
  members.sparse("environment", agent.environment);
  members.sparse("config", agent.config);
  members.sparse("guidance", agent.guidance);
  members.sparse("service", agent.service);
  members.sparse("hosts", agent.hosts);
}

}  // namespace sbx::agents
