// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "cli/commands/verbs.h"
#include "cli/detach_keys.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
constexpr std::string_view kLifecycle = "Sandboxes";
constexpr std::string_view kManagement = "Management";

constexpr Flag kGlobalFlags[] = {
    {.name = "debug", .letter = 'D', .help = "Say on standard error what is being done"},
    {.name = "help", .letter = 'h', .help = "Show help"},
    {.name = "socket",
     .kind = FlagKind::kText,
     .value = "PATH",
     .help = "Use the daemon that listens on this socket",
     .candidates = Candidates::kFiles,
     .hidden = true},
};

constexpr Flag kEnv{.name = "env",
                    .letter = 'e',
                    .kind = FlagKind::kList,
                    .value = "KEY[=VALUE]",
                    .help = "Set a variable; without a value, pass on yours"};
constexpr Flag kEnvFile{.name = "env-file",
                        .kind = FlagKind::kList,
                        .value = "FILE",
                        .help = "Read variables from a file",
                        .candidates = Candidates::kFiles};
constexpr Flag kDetachKeys{.name = "detach-keys",
                           .kind = FlagKind::kText,
                           .value = "KEYS",
                           .help = "Key sequence that detaches from the command",
                           .fallback = kUsualDetachKeys};
constexpr Flag kName{.name = "name",
                     .kind = FlagKind::kText,
                     .value = "NAME",
                     .help = "Name of the sandbox (default: <agent>-<directory>)"};
constexpr Flag kTemplate{.name = "template",
                         .letter = 't',
                         .kind = FlagKind::kText,
                         .value = "TEMPLATE",
                         .help = "Template to make the sandbox from (default: the agent's)"};
constexpr Flag kPull{.name = "pull-template",
                     .kind = FlagKind::kText,
                     .value = "WHEN",
                     .help = "When to fetch the template: always, missing or never",
                     .fallback = "missing",
                     .candidates = Candidates::kWords,
                     .words = "always missing never"};
constexpr Flag kLoadLocal{.name = "load-local-template", .help = "As --pull-template missing", .hidden = true};
constexpr Flag kVolume{.name = "volume",
                       .letter = 'v',
                       .kind = FlagKind::kList,
                       .value = "SRC:DST[:ro]",
                       .help = "Mount a directory of the host's",
                       .candidates = Candidates::kDirectories};
constexpr Flag kWorkspace{.name = "workspace",
                          .kind = FlagKind::kText,
                          .value = "DIR",
                          .help = "As WORKSPACE, which it was before it became an operand",
                          .candidates = Candidates::kDirectories,
                          .hidden = true};
constexpr Flag kWorkdir{.name = "workdir",
                        .letter = 'w',
                        .kind = FlagKind::kText,
                        .value = "DIR",
                        .help = "Working directory in the sandbox (default: the workspace)"};
constexpr Flag kCpus{
    .name = "cpus", .kind = FlagKind::kText, .value = "N", .help = "Limit of processor time, in processors"};
constexpr Flag kMemory{.name = "memory",
                       .letter = 'm',
                       .kind = FlagKind::kText,
                       .value = "BYTES",
                       .help = "Limit of memory, such as 512m or 8g"};
constexpr Flag kPids{.name = "pids", .kind = FlagKind::kText, .value = "N", .help = "Limit of processes"};
constexpr Flag kBackend{.name = "backend",
                        .kind = FlagKind::kText,
                        .value = "NAME",
                        .help = "How the sandbox is isolated (default: the configuration's, else the best here)"};
constexpr Flag kDisk{.name = "disk",
                     .kind = FlagKind::kText,
                     .value = "BYTES",
                     .help = "Size of the sandbox's own disk, such as 20g (microvm only)"};
constexpr Flag kJson{.name = "json", .help = "Print JSON"};
constexpr Flag kFormat{.name = "format",
                       .kind = FlagKind::kText,
                       .value = "TEMPLATE",
                       .help = "Print with a Go template, such as '{{.Name}}' or 'table {{.Name}}\\t{{.Status}}'"};

constexpr Flag kRunFlags[] = {
    kBackend,
    kCpus,
    {.name = "detached", .letter = 'd', .help = "Start the sandbox, print its name, and do not attach to the agent"},
    kDetachKeys,
    kDisk,
    kEnv,
    kEnvFile,
    kLoadLocal,
    kMemory,
    kName,
    kPids,
    kPull,
    {.name = "quiet", .letter = 'q', .help = "Say nothing but what the agent says"},
    {.name = "rm", .help = "Remove the sandbox when the agent ends"},
    kTemplate,
    kVolume,
    kWorkdir,
    kWorkspace,
};

constexpr Flag kCreateFlags[] = {
    kBackend,
    kCpus,
    kDisk,
    kEnv,
    kEnvFile,
    kLoadLocal,
    kMemory,
    kName,
    kPids,
    kPull,
    {.name = "quiet", .letter = 'q', .help = "Print the name only"},
    kTemplate,
    kVolume,
    kWorkdir,
    kWorkspace,
};

constexpr Flag kExecFlags[] = {
    {.name = "detach", .letter = 'd', .help = "Leave the command running; its output goes to `logs`"},
    kDetachKeys,
    kEnv,
    kEnvFile,
    {.name = "interactive", .letter = 'i', .help = "Connect standard input"},
    {.name = "privileged", .help = "Every capability that the sandbox itself has"},
    {.name = "tty", .letter = 't', .help = "Give the command a terminal"},
    {.name = "user",
     .letter = 'u',
     .kind = FlagKind::kText,
     .value = "NAME|UID[:GROUP|GID]",
     .help = "Who runs the command (default: agent)"},
    kWorkdir,
};

constexpr Flag kLsFlags[] = {
    kFormat,
    kJson,
    {.name = "no-trunc", .help = "Nothing is ever cut off", .hidden = true},
    {.name = "quiet", .letter = 'q', .help = "Print names only"},
};

constexpr Flag kRmFlags[] = {
    {.name = "all", .help = "Every sandbox"},
    {.name = "force", .letter = 'f', .help = "Do not mind a sandbox that is not there"},
};

constexpr Flag kResetFlags[] = {{.name = "force", .letter = 'f', .help = "Do not ask"}};
constexpr Flag kInspectFlags[] = {kFormat, {.name = "json", .help = "Print JSON, as it does anyway", .hidden = true}};
constexpr Flag kJsonFlags[] = {kJson};
constexpr Flag kCpFlags[] = {
    {.name = "follow-link", .letter = 'L', .help = "If the source is a symbolic link, copy what it points to"},
};
constexpr Flag kLogsFlags[] = {
    {.name = "console", .help = "Show what the machine's own kernel has printed instead (microvm only)"},
    {.name = "follow", .letter = 'f', .help = "Go on until the sandbox stops"},
    {.name = "tail",
     .letter = 'n',
     .kind = FlagKind::kText,
     .value = "N",
     .help = "Only the last N lines (default: all)"},
};
constexpr Flag kDaemonStartFlags[] = {
    {.name = "detach", .letter = 'd', .help = "It always runs in the background", .hidden = true},
};

constexpr Command kCommands[] = {
    {.name = "run",
     .group = kLifecycle,
     .usage = "[OPTIONS] AGENT [WORKSPACE] [EXTRA_WORKSPACE[:ro]...] [-- ARG...]",
     .summary = "Run an agent in a sandbox",
     .details =
         "The sandbox is made if the directory has none for this agent, and started if it is stopped.\n"
         "`run SANDBOX [-- ARG...]` goes back to one by its name. Without a WORKSPACE it is the current directory.\n"
         "Arguments after -- are added to the agent's own if the first begins with a dash, and replace them\n"
         "otherwise. For a sandbox that is there already, -e and --env-file hold for this session only.",
     .examples =
         "run shell .\nrun shell ~/project ~/library:ro\nrun --name box -e TOKEN shell . -- -c 'make test'\nrun box",
     .flags = kRunFlags,
     .grammar = Grammar::kSplitAtDashes,
     .most = kAny,
     .candidates = Candidates::kAgentsAndSandboxes,
     .more_candidates = Candidates::kDirectories,
     .handler = verbs::run},
    {.name = "create",
     .group = kLifecycle,
     .usage = "[OPTIONS] [AGENT] [WORKSPACE] [EXTRA_WORKSPACE[:ro]...]",
     .summary = "Make a sandbox without running its agent",
     .details = "Without an AGENT it is shell; without a WORKSPACE it is the current directory.",
     .examples = "create shell .\ncreate --name box --memory 4g --cpus 2 shell ~/project",
     .flags = kCreateFlags,
     .most = kAny,
     .candidates = Candidates::kAgents,
     .more_candidates = Candidates::kDirectories,
     .handler = verbs::create},
    {.name = "exec",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX COMMAND [ARG...]",
     .summary = "Run a command in a sandbox",
     .details =
         "A stopped sandbox is started. The exit code is the command's; 125 means that the sandbox or the daemon\n"
         "failed, 126 that the command could not be run, 127 that it was not found. Without a terminal (-t) the\n"
         "signals INT, TERM, HUP and QUIT are passed on to the command.",
     .examples = "exec -it box bash\nexec box git status\ntar c . | sandbox exec -i box tar x -C /tmp",
     .flags = kExecFlags,
     .grammar = Grammar::kStopAtOperand,
     .fewest = 2,
     .most = kAny,
     .candidates = Candidates::kSandboxes,
     .more_candidates = Candidates::kFiles,
     .handler = verbs::exec},
    {.name = "ls",
     .alias = "list",
     .group = kLifecycle,
     .usage = "[OPTIONS]",
     .summary = "List sandboxes",
     .examples = "ls\nls --json\nls --format 'table {{.Name}}\\t{{.Status}}'",
     .flags = kLsFlags,
     .handler = verbs::ls},
    {.name = "start",
     .group = kLifecycle,
     .usage = "SANDBOX [SANDBOX...]",
     .summary = "Start stopped sandboxes",
     .fewest = 1,
     .most = kAny,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::start},
    {.name = "stop",
     .group = kLifecycle,
     .usage = "SANDBOX [SANDBOX...]",
     .summary = "Stop sandboxes; what is in them stays",
     .fewest = 1,
     .most = kAny,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::stop},
    {.name = "rm",
     .alias = "remove",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX [SANDBOX...]",
     .summary = "Remove sandboxes and all that is in them; workspaces are not touched",
     .examples = "rm box\nrm --all",
     .flags = kRmFlags,
     .most = kAny,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::rm},
    {.name = "inspect",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX [SANDBOX...]",
     .summary = "Show all that is known about sandboxes, as JSON",
     .examples = "inspect box\ninspect --format '{{.Isolation}} {{json .Mounts}}' box",
     .flags = kInspectFlags,
     .fewest = 1,
     .most = kAny,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::inspect},
    {.name = "cp",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX:SRC DST | SRC SANDBOX:DST",
     .summary = "Copy files between a sandbox and the host",
     .details = "`-` stands for a tar archive on standard input or output.\n"
                "What is copied into a sandbox belongs to the user agent.",
     .examples = "cp box:/home/agent/result.txt .\ncp ./data box:/tmp\ncp box:/etc - | tar t",
     .flags = kCpFlags,
     .fewest = 2,
     .most = 2,
     .candidates = Candidates::kFiles,
     .handler = verbs::cp},
    {.name = "logs",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX",
     .summary = "Show what commands that run detached have printed",
     .details = "On a terminal, control characters in what a kernel has printed are shown and not obeyed.",
     .examples = "logs -f --tail 20 box\nlogs --console box",
     .flags = kLogsFlags,
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::logs},
    {.name = "reset",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "Stop and remove every sandbox; workspaces are not touched",
     .flags = kResetFlags,
     .handler = verbs::reset},
    {.name = "daemon",
     .group = kManagement,
     .usage = "COMMAND",
     .summary = "Manage the daemon",
     .details = "Any command that needs the daemon starts it. Sandboxes run on without it."},
    {.name = "daemon start",
     .group = kManagement,
     .summary = "Start the daemon if it does not run",
     .flags = kDaemonStartFlags,
     .handler = verbs::daemon_start},
    {.name = "daemon stop",
     .group = kManagement,
     .summary = "Stop the daemon; sandboxes run on",
     .handler = verbs::daemon_stop},
    {.name = "daemon restart",
     .group = kManagement,
     .summary = "Stop and start the daemon; sandboxes run on",
     .handler = verbs::daemon_restart},
    {.name = "daemon status",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "Show whether the daemon runs",
     .flags = kJsonFlags,
     .handler = verbs::daemon_status},
    {.name = "diagnose",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "Check what this host offers, with a hint for each failure",
     .flags = kJsonFlags,
     .handler = verbs::diagnose},
    {.name = "version",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "Show the version",
     .flags = kJsonFlags,
     .handler = verbs::version},
    {.name = "completion",
     .group = kManagement,
     .usage = "bash|zsh|fish",
     .summary = "Print a completion script for a shell",
     .examples =
         "completion bash > /etc/bash_completion.d/sandbox\ncompletion fish > ~/.config/fish/completions/sandbox.fish",
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kWords,
     .words = "bash zsh fish",
     .handler = verbs::completion},
    {.name = "docs-markdown", .summary = "Print docs/cli.md", .hidden = true, .handler = verbs::docs_markdown},
    {.name = "docker-cli-plugin-metadata",
     .summary = "Say to Docker what this plugin is",
     .hidden = true,
     .handler = verbs::plugin_metadata},
    {.name = "__complete",
     .summary = "Candidates for the last word, for the shells",
     .grammar = Grammar::kLiteral,
     .most = kAny,
     .hidden = true,
     .handler = verbs::complete},
};

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

const Command* named(std::string_view name) {
  for (const Command& command : kCommands)
    if (command.name == name || (!command.alias.empty() && command.alias == name)) return &command;
  return nullptr;
}

}  // namespace

std::span<const Command> command_table() { return kCommands; }
std::span<const Flag> global_flags() { return kGlobalFlags; }

const Command* find_command(std::span<const std::string> words, std::size_t& used) {
  used = 0;
  if (words.empty()) return nullptr;
  if (words.size() > 1) {
    if (const Command* command = named(words[0] + " " + words[1])) {
      used = 2;
      return command;
    }
  }
  const Command* command = words[0].find(' ') == std::string::npos ? named(words[0]) : nullptr;
  used = command == nullptr ? 0 : 1;
  return command;
}

std::string_view nearest_command(std::string_view word) {
  constexpr std::size_t kFar = 3;
  std::string_view nearest;
  std::size_t best = kFar;
  for (const Command& command : kCommands)
    for (const std::string_view name : {command.name, command.alias}) {
      if (command.hidden || name.empty()) continue;
      if (const std::size_t d = distance(word, name); d < best && d < name.size()) {
        best = d;
        nearest = name;
      }
    }
  return nearest;
}

}  // namespace sbx::cli
