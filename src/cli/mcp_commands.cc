// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <vector>

#include "cli/commands.h"
#include "cli/commands/verbs.h"
#include "cli/grammar/flag_tables.h"

namespace sbx::cli {
namespace {

// Where the model may work, and the network policy of the sandboxes that it makes.
std::span<const Flag> mcp_flags() {
  static const std::vector<Flag> flags = [] {
    std::vector<Flag> all{{.name = "workspace",
                           .kind = FlagKind::kList,
                           .value = "DIR",
                           .help = "Directory that sandboxes may share (default: the current one); repeat for more",
                           .candidates = Candidates::kDirectories}};
    for (const Flag& flag : network_proxy_flags())
      if (flag.name != "json") all.push_back(flag);
    return all;
  }();
  return flags;
}

// Those of a sandbox, but what is said otherwise or is for an agent's.
std::span<const Flag> mcp_add_flags() {
  static const std::vector<Flag> flags = [] {
    std::vector<Flag> all(create_flags().begin(), create_flags().end());
    for (Flag& flag : all)
      flag.hidden = flag.hidden || flag.name == "name" || flag.name.starts_with("agent-") || flag.name == "no-guidance";
    all.push_back({.name = "command",
                   .kind = FlagKind::kText,
                   .value = "LINE",
                   .help = "The server's command, a line for the shell in its sandbox, instead of -- COMMAND"});
    all.push_back({.name = "url",
                   .kind = FlagKind::kText,
                   .value = "URL",
                   .help = "A server on the network; it runs in no sandbox of ours"});
    std::ranges::sort(all, {}, &Flag::name);
    return all;
  }();
  return flags;
}

constexpr Flag kMcpInstallFlags[] = {
    {.name = "print", .help = "Show what would be written and where, and write nothing"},
};

constexpr Flag kMcpInspectFlags[] = {{.name = "json", .help = "Print JSON, as it does anyway", .hidden = true}};

const CliCommand kMcpCommands[] = {
    {.name = "mcp",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "Serve the Model Context Protocol on standard input and output",
     .details = "An agent on the host gets tools to make sandboxes and to run commands in them.\n"
                "It can use only sandboxes all of whose directories are in those of --workspace.\n"
                "The sandboxes that it makes get the network policy of the options here (default:\n"
                "--preset agent); to reach more it has to ask you. `mcp install` sets it up.",
     .examples = "mcp\nmcp --workspace ~/project --allow-host example.org",
     .flags = mcp_flags(),
     .handler = verbs::mcp_serve},
    {.name = "mcp add",
     .group = kManagementGroup,
     .usage = "[OPTIONS] NAME (-- COMMAND [ARG...] | --command LINE | --url URL)",
     .summary = "Add an MCP server that agents in sandboxes may use",
     .details = "It runs in a sandbox of its own, mcp-NAME, which is made now and started when an\n"
                "agent speaks with it. That sandbox has no workspace and reaches no host unless the\n"
                "options say so. Only sandboxes that were made or run with --mcp NAME can use it.\n"
                "Its keys: sandbox secret bind SECRET --sandbox mcp-NAME --host HOST.",
     .examples = "mcp add files -v ~/data:/data:ro -- mcp-server-filesystem /data\n"
                 "mcp add issues --allow-host example.com -- npx -y issues-mcp\n"
                 "mcp add docs --url https://mcp.example.com/mcp\nrun --mcp files claude",
     .flags = mcp_add_flags(),
     .grammar = Grammar::kSplitAtDashes,
     .fewest = 1,
     .most = std::numeric_limits<std::size_t>::max(),
     .handler = verbs::mcp_add},
    {.name = "mcp grant",
     .group = kManagementGroup,
     .usage = "SANDBOX NAME...",
     .summary = "Let a sandbox use MCP servers, as create --mcp does",
     .details = "A sandbox that runs has them from its next start on. The host of one on the\n"
                "network is allowed in its network policy at once.",
     .examples = "mcp grant claude-project files",
     .fewest = 2,
     .most = std::numeric_limits<std::size_t>::max(),
     .candidates = Candidates::kSandboxes,
     .handler = verbs::mcp_grant},
    {.name = "mcp inspect",
     .group = kManagementGroup,
     .usage = "NAME",
     .summary = "Show an MCP server that was added, and which sandboxes may use it",
     .flags = kMcpInspectFlags,
     .fewest = 1,
     .most = 1,
     .handler = verbs::mcp_inspect},
    {.name = "mcp ls",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "List the MCP servers that were added",
     .flags = json_flags(),
     .handler = verbs::mcp_ls},
    {.name = "mcp revoke",
     .group = kManagementGroup,
     .usage = "SANDBOX NAME...",
     .summary = "Take MCP servers away from a sandbox",
     .details = "It holds at once: programs that speak with them are cut off. The agent's\n"
                "configuration is changed at the next start. The rule for the host of one on the\n"
                "network is removed; under a policy that allows all it can still be reached.",
     .examples = "mcp revoke claude-project files",
     .fewest = 2,
     .most = std::numeric_limits<std::size_t>::max(),
     .candidates = Candidates::kSandboxes,
     .handler = verbs::mcp_revoke},
    {.name = "mcp rm",
     .group = kManagementGroup,
     .usage = "NAME...",
     .summary = "Remove MCP servers, each with its sandbox",
     .fewest = 1,
     .most = std::numeric_limits<std::size_t>::max(),
     .handler = verbs::mcp_rm},
    {.name = "mcp install",
     .group = kManagementGroup,
     .usage = "[OPTIONS] AGENT [-- OPTION...]",
     .summary = "Add the MCP server to the configuration of an agent on the host",
     .details = "AGENT is claude, codex, copilot, cursor, gemini or opencode. The rest of its\n"
                "configuration stays as it is. Options after -- are those of `mcp`.",
     .examples = "mcp install claude\nmcp install codex -- --workspace ~/project\nmcp install --print gemini",
     .flags = kMcpInstallFlags,
     .grammar = Grammar::kSplitAtDashes,
     .fewest = 1,
     .most = std::numeric_limits<std::size_t>::max(),
     .candidates = Candidates::kWords,
     .words = "claude codex copilot cursor gemini opencode",
     .handler = verbs::mcp_install},
};

}  // namespace

std::span<const CliCommand> mcp_commands() { return kMcpCommands; }

}  // namespace sbx::cli
