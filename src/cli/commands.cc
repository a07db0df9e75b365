// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include <iterator>
#include <limits>
#include <vector>

#include "base/nearest.h"
#include "cli/commands/verbs.h"
#include "cli/grammar/flag_tables.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
constexpr std::string_view kLifecycle = "Sandboxes";
constexpr std::string_view kManagement = kManagementGroup;

const CliCommand kCommands[] = {
    {.name = "run",
     .group = kLifecycle,
     .usage = "[OPTIONS] AGENT [WORKSPACE] [EXTRA_WORKSPACE[:ro]...] [-- ARG...]",
     .summary = "Run an agent in a sandbox",
     .details =
         "The sandbox is made if the directory has none for this agent, and started if it is stopped.\n"
         "`run SANDBOX [-- ARG...]` goes back to one by its name. Without a WORKSPACE it is the current directory.\n"
         "Arguments after -- are added to the agent's own if the first begins with a dash, and replace them\n"
         "otherwise. In a sandbox of the agent shell they are a command: `run box -- make test`.\n\n"
         "On a terminal the agent runs in a session. It goes on when you detach\n"
         "(Ctrl-P Ctrl-Q), when the terminal is closed and when the daemon ends. The next\n"
         "`run` goes back to it, unless it is attached elsewhere or --new is given.\n\n"
         "For a sandbox that is there already, -e, --env-file and -w hold for this session only.\n"
         "-p, --add-host and --label are added to it at once, --ttl and --idle-stop changed; --cpus,\n"
         "--memory and --pids change\n"
         "it when it is stopped. Any other option has to be as the sandbox was made, or the run\n"
         "is refused with the difference. Of several sandboxes of a directory it is the one with\n"
         "the default name, or else the one that was used last.",
     .examples =
         "run shell .\nrun shell ~/project ~/library:ro\nrun --name box -e TOKEN shell . -- -c 'make test'\nrun box",
     .flags = run_flags(),
     .grammar = Grammar::kSplitAtDashes,
     .most = kAny,
     .candidates = Candidates::kAgentsAndSandboxes,
     .more_candidates = Candidates::kDirectories,
     .handler = verbs::run},
    {.name = "create",
     .group = kLifecycle,
     .usage = "[OPTIONS] [AGENT] [WORKSPACE] [EXTRA_WORKSPACE[:ro]...]",
     .summary = "Make a sandbox without running its agent",
     .details = "Without an AGENT it is shell; without a WORKSPACE it is the current directory.\n"
                "--disk is a bound and takes no room in advance. Without it, it is at most 64 GB and half of what is\n"
                "free; one that is larger than what is free is given with a word, one larger than the whole file\n"
                "system is refused. Containers of an ordinary user cannot be held to it.",
     .examples = "create shell .\ncreate --name box --memory 4g --cpus 2 shell ~/project",
     .flags = create_flags(),
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
         "signals INT, TERM, HUP and QUIT are passed on to the command.\n"
         "With one the command is a session: it goes on when you detach (Ctrl-P Ctrl-Q)\n"
         "or the terminal is closed, and `attach` goes back to it.",
     .examples = "exec -it box bash\nexec box git status\ntar c . | sandbox exec -i box tar x -C /tmp",
     .flags = exec_flags(),
     .grammar = Grammar::kStopAtOperand,
     .fewest = 2,
     .most = kAny,
     .candidates = Candidates::kSandboxes,
     .more_candidates = Candidates::kFiles,
     .handler = verbs::exec},
    {.name = "sessions",
     .group = kLifecycle,
     .usage = "[OPTIONS] [SANDBOX]",
     .summary = "List sessions: commands with a terminal, attached or not",
     .details = "Every `run` and every `exec` with a terminal is a session. It runs until its\n"
                "program ends, whether you are attached to it or not. The last 16 that have\n"
                "ended are listed, too, until the sandbox stops.",
     .examples = "sessions\nsessions box --json\nsessions kill box 2",
     .flags = sessions_flags(),
     .most = 1,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::sessions},
    {.name = "sessions kill",
     .group = kLifecycle,
     .usage = "SANDBOX SESSION",
     .summary = "End a session",
     .details = "Its program gets HUP and TERM, and KILL if it still runs two seconds later.",
     .examples = "sessions kill box 2",
     .fewest = 2,
     .most = 2,
     .candidates = Candidates::kSandboxes,
     .more_candidates = Candidates::kSessions,
     .handler = verbs::sessions_kill},
    {.name = "attach",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX [SESSION]",
     .summary = "Go back to a session",
     .details = "The last screen is shown again. Without a SESSION it is the one that was used\n"
                "last; sessions that no client is attached to come first. Several clients can be\n"
                "attached to one session: all see the same, and the window has the size of the\n"
                "client that was used last. Ctrl-P Ctrl-Q detaches, and the command runs on.\n"
                "The exit code is the command's. A session that has ended shows its last screen\n"
                "and has its exit code.",
     .examples = "attach box\nattach box 2\nattach --read-only box 2",
     .flags = attach_flags(),
     .fewest = 1,
     .most = 2,
     .candidates = Candidates::kSandboxes,
     .more_candidates = Candidates::kSessions,
     .handler = verbs::attach},
    {.name = "docker",
     .group = kLifecycle,
     .usage = "SANDBOX [ARG...]",
     .summary = "Run docker with the sandbox's own Docker daemon",
     .details = "As `docker --host unix://.../vm/SANDBOX/docker.sock ARG...`; where this host has no\n"
                "docker client, the one in the sandbox is run. The first use starts the daemon, and\n"
                "a stopped sandbox. Containers live in the sandbox: paths are those of the sandbox,\n"
                "and all that they send asks its network policy. Your registry logins and proxies\n"
                "are not used, because the daemon is the agent's: see --registry-auth of run.",
     .examples = "docker box ps\ndocker box build -t app .\ndocker box run --rm app make test",
     .grammar = Grammar::kStopAtOperand,
     .fewest = 1,
     .most = kAny,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::docker},
    {.name = "context",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX",
     .summary = "Make a docker context of a sandbox's Docker daemon",
     .details = "Its name is sandbox-SANDBOX: `docker --context sandbox-box ps`.",
     .examples = "context box\ncontext --remove box",
     .flags = context_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::context},
    {.name = "ls",
     .alias = "list",
     .group = kLifecycle,
     .usage = "[OPTIONS]",
     .summary = "List sandboxes",
     .examples = "ls\nls --json\nls --filter status=running --filter agent=shell\n"
                 "ls --format 'table {{.Name}}\\t{{.Status}}'",
     .flags = ls_flags(),
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
     .usage = "[OPTIONS] SANDBOX [SANDBOX...]",
     .summary = "Stop sandboxes; what is in them stays",
     .examples = "stop box\nstop -t 30 box",
     .flags = stop_flags(),
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
     .flags = rm_flags(),
     .most = kAny,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::rm},
    {.name = "prune",
     .group = kLifecycle,
     .usage = "[OPTIONS]",
     .summary = "Remove stopped sandboxes; workspaces are not touched",
     .details = "Of those that were not used for a time with --filter until=24h. Sandboxes that run\n"
                "are never removed by it.",
     .examples = "prune --dry-run\nprune --filter until=24h -f",
     .flags = prune_flags(),
     .handler = verbs::prune},
    {.name = "inspect",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX [SANDBOX...]",
     .summary = "Show all that is known about sandboxes, as JSON",
     .examples = "inspect box\ninspect --format '{{.Isolation}} {{json .Mounts}}' box",
     .flags = inspect_flags(),
     .fewest = 1,
     .most = kAny,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::inspect},
    {.name = "cp",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX:SRC DST | SRC SANDBOX:DST",
     .summary = "Copy files between a sandbox and the host",
     .details = "A path in the sandbox that does not begin with / is below its working directory.\n"
                "`-` stands for a tar archive on standard input or output.\n"
                "What is copied into a sandbox belongs to the user agent.\n"
                "On the host, no symbolic link in a workspace or writable mount of a sandbox is followed:\n"
                "the sandbox may have made it.",
     .examples = "cp box:/home/agent/result.txt .\ncp ./data box:/tmp\ncp box:/etc - | tar t",
     .flags = cp_flags(),
     .fewest = 2,
     .most = 2,
     .candidates = Candidates::kCopies,
     .handler = verbs::cp},
    {.name = "save",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX TAG",
     .summary = "Make a template of a sandbox: its own and what was changed in it",
     .details = "A running sandbox stands still while it is copied. Not saved are workspaces and other mounts,\n"
                "/tmp, /run, the sandbox's name and its certificate authority. `create -t TAG` starts from it,\n"
                "on any backend. -o writes an archive that `docker load` takes, too; - is standard output.",
     .examples = "save box my-tools:1\nsave -o box.tar box my-tools:1\ncreate -t my-tools:1 shell .",
     .flags = save_flags(),
     .fewest = 2,
     .most = 2,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::save},
    {.name = "logs",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX",
     .summary = "Show what commands that run detached have printed",
     .details = "On a terminal, control characters in it are shown and not obeyed, and colours are left out.\n"
                "A pipe gets every byte as it was printed: logs box | less -R",
     .examples = "logs -f --tail 20 box\nlogs --console box",
     .flags = logs_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::logs},
    {.name = "ports",
     .group = kLifecycle,
     .usage = "[OPTIONS] SANDBOX",
     .summary = "Show or change the ports that a sandbox publishes",
     .details = "A running sandbox is changed at once, and each change is kept. Without a HOST_PORT, or with 0, any "
                "free port\n"
                "is taken, anew at each start. Ranges of equal length, such as 8000-8010:3000-3010, are many ports.\n"
                "An IPv6 address is written in brackets.",
     .examples = "ports box\nports box --publish 8080:3000\nports box --unpublish 8080:3000 --json",
     .flags = ports_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::ports},
    {.name = "network",
     .group = kManagement,
     .usage = "COMMAND",
     .summary = "Manage what sandboxes may reach",
     .details = "docs/network-policy.md explains the policy."},
    {.name = "network proxy",
     .group = kManagement,
     .usage = "SANDBOX [OPTIONS]",
     .summary = "Show or change the network policy of a sandbox",
     .details =
         "Without options the policy is shown. Options are applied in their order, all of them or none; they hold at\n"
         "once and for good, and connections that they forbid are closed. Each may be given several times.",
     .examples = "network proxy box\nnetwork proxy box --policy deny --allow-host example.com\n"
                 "network proxy box --allow-host '*.example.org:443'\nnetwork proxy box --preset agent",
     .flags = network_proxy_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::network_proxy},
    {.name = "network check",
     .group = kManagement,
     .usage = "[OPTIONS] SANDBOX URL|HOST[:PORT]",
     .summary = "Say whether a sandbox may reach something, by which rule, and how to change it",
     .details = "Nothing is resolved or connected to. The exit code is 0 if it is allowed and 1 if it is not.",
     .examples = "network check box https://example.com/\nnetwork check box github.com:22",
     .flags = json_flags(),
     .fewest = 2,
     .most = 2,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::network_check},
    {.name = "network log",
     .group = kManagement,
     .usage = "[OPTIONS] [SANDBOX]",
     .summary = "Show what was blocked and what was allowed",
     .details = "Of all sandboxes, or of one.",
     .examples = "network log\nnetwork log --blocked --hosts box\nnetwork log --follow --json box",
     .flags = network_log_flags(),
     .most = 1,
     .candidates = Candidates::kSandboxes,
     .handler = verbs::network_log},
    {.name = "agents",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "List the agents that run knows",
     .details = "Those of ~/.sandboxd/agents.json are among them; docs/agents.md says how to add one.",
     .examples = "agents\nagents --json",
     .flags = agents_flags(),
     .handler = verbs::agents},
    {.name = "update",
     .group = kManagement,
     .usage = "[OPTIONS] AGENT",
     .summary = "Get a newer agent, also for sandboxes that are there",
     .details = "Its template is built with the latest version, which new sandboxes have from then on.\n"
                "Sandboxes of the agent that are stopped have it at once, and those that run after\n"
                "their next stop and start; nothing that was changed in them is lost. A sandbox with a\n"
                "template or version of its own is kept as it is, and so is one whose base system has\n"
                "become another: the answer says which and why.",
     .examples = "update claude\nupdate --agent-version 2.1.300 claude\nupdate --json codex",
     .flags = update_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kAgents,
     .handler = verbs::update},
    {.name = "template",
     .group = kManagement,
     .usage = "COMMAND",
     .summary = "Manage the templates that sandboxes are made from",
     .details = "A template is an image, as docker has them, or a recipe of ours, such as shell.\n"
                "It is named as docker names images, by its digest, or by the first digits of\n"
                "that. docs/templates.md says more."},
    {.name = "template ls",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "List templates, and which sandboxes use them",
     .examples = "template ls\ntemplate ls --json\ntemplate ls --format '{{.Name}} {{.Size}}'",
     .flags = template_ls_flags(),
     .handler = verbs::template_ls},
    {.name = "template build",
     .group = kManagement,
     .usage = "[OPTIONS] DIRECTORY",
     .summary = "Build a template from a Dockerfile",
     .details = "Each step runs in a sandbox of its own, under the network policy of new\n"
                "sandboxes, and never on the host. No Docker is needed. FROM takes an image, an\n"
                "agent (FROM claude) or shell, the base system.",
     .examples = "template build -t my-claude .\ntemplate build -t box:2 -f box.Dockerfile --build-arg V=2 .\n"
                 "template build --refresh claude",
     .flags = template_build_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kDirectories,
     .handler = verbs::template_build},
    {.name = "template inspect",
     .group = kManagement,
     .usage = "[OPTIONS] TEMPLATE [TEMPLATE...]",
     .summary = "Show all that is known about templates, as JSON",
     .examples = "template inspect shell\ntemplate inspect --format '{{.Config.User}}' box:1",
     .flags = template_inspect_flags(),
     .fewest = 1,
     .most = kAny,
     .candidates = Candidates::kTemplates,
     .handler = verbs::template_inspect},
    {.name = "template history",
     .group = kManagement,
     .usage = "[OPTIONS] TEMPLATE",
     .summary = "Show how a template was made",
     .examples = "template history box:1\ntemplate history --no-trunc box:1",
     .flags = template_history_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kTemplates,
     .handler = verbs::template_history},
    {.name = "template pull",
     .group = kManagement,
     .usage = "[OPTIONS] IMAGE",
     .summary = "Fetch an image, or what is new of it",
     .details = "It comes from its registry, with the logins of docker or podman; with\n"
                "--from docker from the local Docker, with --from podman from podman's storage.\n"
                "--from auto asks the registry and, if that does not have it, the local Docker.\n"
                "A recipe of ours is built anew.",
     .examples = "template pull debian:12\ntemplate pull --from docker my-image:dev\n"
                 "template pull --platform linux/arm64 debian:12",
     .flags = template_pull_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kTemplates,
     .handler = verbs::template_pull},
    {.name = "template push",
     .group = kManagement,
     .usage = "[OPTIONS] TEMPLATE [IMAGE]",
     .summary = "Send a template to a registry",
     .details = "IMAGE is where it goes, by default its own name. With the logins of docker or\n"
                "podman.",
     .examples = "template push registry.example.com/team/box:1\n"
                 "template push my-claude registry.example.com/team/claude:7",
     .flags = template_push_flags(),
     .fewest = 1,
     .most = 2,
     .candidates = Candidates::kTemplates,
     .handler = verbs::template_push},
    {.name = "template load",
     .group = kManagement,
     .usage = "[OPTIONS] FILE|DIRECTORY|-",
     .summary = "Take the images of an archive as templates",
     .details = "An archive of `docker save` or of an OCI image layout, or the layout itself;\n"
                "every image in it comes with its names. Anything else is taken for the root\n"
                "file system of a machine, as a tar archive, and needs --tag. All may be\n"
                "compressed (gzip, xz, zstd, bzip2).",
     .examples = "template load images.tar\ntemplate load --tag my-debian rootfs.tar.xz\n"
                 "docker save my-image:dev | sandbox template load -",
     .flags = template_load_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kFiles,
     .handler = verbs::template_load},
    {.name = "template tag",
     .group = kManagement,
     .usage = "[OPTIONS] TEMPLATE NAME",
     .summary = "Give a template another name",
     .details = "A template that had the name before loses it.",
     .examples = "template tag shell org/base:1",
     .flags = json_flags(),
     .fewest = 2,
     .most = 2,
     .candidates = Candidates::kTemplates,
     .handler = verbs::template_tag},
    {.name = "template rm",
     .group = kManagement,
     .usage = "[OPTIONS] TEMPLATE [TEMPLATE...]",
     .summary = "Remove templates that no sandbox uses",
     .details = "A name is taken away, and with the last one the template; by a digest, all of\n"
                "its names. Layers that other templates have, too, stay.",
     .examples = "template rm box:1",
     .flags = template_rm_flags(),
     .fewest = 1,
     .most = kAny,
     .candidates = Candidates::kTemplates,
     .handler = verbs::template_rm},
    {.name = "template save",
     .group = kManagement,
     .usage = "[OPTIONS] TEMPLATE",
     .summary = "Write a template to an archive that docker load takes",
     .examples = "template save -o box.tar box:1\ntemplate save box:1 | docker load",
     .flags = template_save_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kTemplates,
     .handler = verbs::template_save},
    {.name = "template prune",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "Remove what is left of templates that nothing needs",
     .details = "Templates whose name another has now, and layers of pulls that failed; with\n"
                "--all every template that no sandbox uses.",
     .examples = "template prune\ntemplate prune --all --force",
     .flags = template_prune_flags(),
     .handler = verbs::template_prune},
    {.name = "reset",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "Stop and remove every sandbox; workspaces are not touched",
     .details = "With --all nothing of sandboxd's is left in your home directory: neither templates nor\n"
                "caches nor logs, nor the stored secrets, loops and added MCP servers. Loops that run are\n"
                "cancelled first. The next `run` builds its template anew.",
     .examples = "reset\nreset --all -f",
     .flags = reset_flags(),
     .handler = verbs::reset},
    {.name = "system", .group = kManagement, .usage = "COMMAND", .summary = "Look at what sandboxd keeps on this host"},
    {.name = "system df",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "Show what sandboxes, templates and caches take on the disk",
     .details = "`prune` removes stopped sandboxes, `system prune` the docker cache, `reset --all` everything.",
     .flags = json_flags(),
     .handler = verbs::system_df},
    {.name = "system prune",
     .group = kManagement,
     .summary = "Remove what Docker in sandboxes has fetched from registries and is kept for others",
     .details = "Images in sandboxes are not touched. The next pull of what is not in its sandbox is a download\n"
                "again.",
     .handler = verbs::system_prune},
    {.name = "daemon",
     .group = kManagement,
     .usage = "COMMAND",
     .summary = "Manage the daemon",
     .details = "Any command that needs the daemon starts it. Sandboxes run on without it."},
    {.name = "daemon start",
     .group = kManagement,
     .summary = "Start the daemon if it does not run",
     .flags = daemon_start_flags(),
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
     .flags = json_flags(),
     .handler = verbs::daemon_status},
    {.name = "diagnose",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "Check what this host offers, with a hint for each failure",
     .flags = json_flags(),
     .handler = verbs::diagnose},
    {.name = "setup",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "Fetch the kernel that microVMs boot, and check this host",
     .details = "Needed once, as root or with sudo, and only for microVMs. The kernel is the\n"
                "distribution's, unpacked and not installed: this host does not boot it.",
     .flags = json_flags(),
     .handler = verbs::setup},
    {.name = "version",
     .group = kManagement,
     .usage = "[OPTIONS]",
     .summary = "Show the version",
     .flags = json_flags(),
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
    {.name = "docs man",
     .usage = "DIRECTORY",
     .summary = "Write a manual page for each command",
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kDirectories,
     .hidden = true,
     .handler = verbs::docs_man},
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

const CliCommand* named(std::string_view name) {
  for (const CliCommand& command : command_table())
    if (command.name == name || (!command.alias.empty() && command.alias == name)) return &command;
  return nullptr;
}

}  // namespace

std::span<const CliCommand> command_table() {
  static const std::vector<CliCommand> all = [] {
    std::vector<CliCommand> commands(std::begin(kCommands), std::end(kCommands));
    for (const auto part : {loop_commands(), mcp_commands(), openclaw_commands(), secret_commands()})
      commands.insert(commands.end(), part.begin(), part.end());
    return commands;
  }();
  return all;
}

const CliCommand* find_command(std::span<const std::string> words, std::size_t& used) {
  used = 0;
  if (words.empty()) return nullptr;
  if (words.size() > 1) {
    if (const CliCommand* command = named(words[0] + " " + words[1])) {
      used = 2;
      return command;
    }
  }
  const CliCommand* command = words[0].find(' ') == std::string::npos ? named(words[0]) : nullptr;
  used = command == nullptr ? 0 : 1;
  return command;
}

std::string_view nearest_command(std::string_view word) {
  std::vector<std::string_view> names;
  for (const CliCommand& command : command_table())
    for (const std::string_view name : {command.name, command.alias})
      if (!command.hidden && !name.empty()) names.push_back(name);
  return nearest_word(word, names);
}

}  // namespace sbx::cli
