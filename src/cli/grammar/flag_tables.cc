// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/grammar/flag_tables.h"

#include <algorithm>

#include "cli/grammar/common_flags.h"
#include "cli/terminal/detach_keys.h"
#include "policy/edits.h"

namespace sbx::cli {
namespace {

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

constexpr Flag kDetachKeys{.name = "detach-keys",
                           .kind = FlagKind::kText,
                           .value = "KEYS",
                           .help = "Key sequence that detaches from the command",
                           .fallback = kUsualDetachKeys};
constexpr Flag kName{.name = "name",
                     .kind = FlagKind::kText,
                     .value = "NAME",
                     .help = "Name of the sandbox (default: <agent>-<directory>)"};
constexpr Flag kPull{.name = "pull-template",
                     .kind = FlagKind::kText,
                     .value = "WHEN",
                     .help = "When to fetch the template: always, missing or never",
                     .fallback = "missing",
                     .candidates = Candidates::kWords,
                     .words = "always missing never"};
constexpr Flag kLoadLocal{.name = "load-local-template",
                          .help = "Take the template from the local Docker, if it has one or a newer one"};
constexpr Flag kPlatform{.name = "platform",
                         .kind = FlagKind::kText,
                         .value = "PLATFORM",
                         .help = "Platform of a template that is fetched, such as linux/arm64"};
constexpr Flag kVolume{.name = "volume",
                       .letter = 'v',
                       .kind = FlagKind::kList,
                       .value = "SRC:DST[:ro]",
                       .help = "Mount a directory of the host's",
                       .candidates = Candidates::kDirectories};
constexpr Flag kAllowHome{
    .name = "allow-home",
    .help = "Let a workspace or mount be your home directory: the agent gets your keys and logins"};
constexpr Flag kWorkspace{.name = "workspace",
                          .kind = FlagKind::kText,
                          .value = "DIR",
                          .help = "As WORKSPACE, which it was before it became an operand",
                          .candidates = Candidates::kDirectories,
                          .hidden = true};
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
                        .help = "How the sandbox is isolated (default: the configuration's, else the best here)",
                        .candidates = Candidates::kWords,
                        .words = "microvm container runc crun gvisor"};
constexpr Flag kDocker{
    .name = "docker",
    .kind = FlagKind::kText,
    .value = "WHEN",
    .help = "Run a Docker daemon in the sandbox: off, on-demand or on (default: on-demand; of shell: off)",
    .candidates = Candidates::kWords,
    .words = "off on-demand on"};
constexpr Flag kTtl{.name = "ttl",
                    .kind = FlagKind::kText,
                    .value = "TIME",
                    .help = "Remove the sandbox when it is this old, such as 24h, whatever runs in it"};
constexpr Flag kIdleStop{.name = "idle-stop",
                         .kind = FlagKind::kText,
                         .value = "TIME",
                         .help = "Stop the sandbox when nothing has run in it for this long, such as 30m"};
// Of the commands that we re-implement: accepted where that is how we do it anyway, and otherwise refused with what to
// do instead (words/creation.cc).
constexpr Flag kCredentials{.name = "credentials",
                            .kind = FlagKind::kText,
                            .value = "WHOSE",
                            .help = "sandbox or none, which change nothing; host is refused",
                            .hidden = true};
constexpr Flag kMountDockerSocket{.name = "mount-docker-socket", .help = "Refused", .hidden = true};
constexpr Flag kPatchSettings{
    .name = "patch-settings", .help = "No effect: a template has its agent's settings", .hidden = true};
constexpr Flag kAgentConfig{
    .name = "agent-config",
    .help = "Copy your own settings of the agent into a new sandbox: no logins, no keys; what is taken is shown"};
constexpr Flag kAgentVersion{.name = "agent-version",
                             .kind = FlagKind::kText,
                             .value = "VERSION",
                             .help = "Version of the agent in a new sandbox, such as 2.1.300 or latest"};
constexpr Flag kNoGuidance{.name = "no-guidance",
                           .help = "Write no page for the model that says where it is and what a refusal means"};
constexpr Flag kNoDockerCache{
    .name = "no-docker-cache",
    .help = "Have Docker in the sandbox fetch images anew, and keep nothing of them for other sandboxes"};
constexpr Flag kRegistryAuth{
    .name = "registry-auth",
    .help = "Use your docker and npm logins for requests to their registries; they do not enter the sandbox"};
constexpr Flag kSshAgent{
    .name = "ssh-agent",
    .help = "Let programs sign in by SSH with the keys of your ssh-agent, at hosts whose port 22 a rule allows"};
constexpr Flag kDisk{.name = "disk",
                     .kind = FlagKind::kText,
                     .value = "BYTES",
                     .help = "Most that the sandbox's own disk may hold, such as 20g"};
constexpr Flag kTmpSize{.name = "tmp-size",
                        .kind = FlagKind::kText,
                        .value = "BYTES",
                        .help = "Most that /tmp, which is in memory, may hold, such as 100m"};
constexpr Flag kFormat{
    .name = "format",
    .kind = FlagKind::kText,
    .value = "TEMPLATE",
    .help = "Print with a Go template, such as '{{.Name}}' or 'table {{.Name}}\\t{{.Status}}', or as json"};

constexpr Flag kPublish{.name = "publish",
                        .letter = 'p',
                        .kind = FlagKind::kList,
                        .value = "[[HOST_IP:]HOST_PORT:]PORT",
                        .help = "Publish a port of the sandbox on the host (default: any free one of 127.0.0.1)"};

// What run and create have in common: all that a sandbox is made of.
constexpr Flag kCreationFlags[] = {
    {.name = "add-host",
     .kind = FlagKind::kList,
     .value = "NAME:IP",
     .help = "Give a host an address of your choice; it still has to be allowed"},
    kAgentConfig,
    kAgentVersion,
    kAllowHome,
    kBackend,
    kCpus,
    kCredentials,
    kDisk,
    kDocker,
    kEnv,
    kEnvFile,
    {.name = "label",
     .letter = 'l',
     .kind = FlagKind::kList,
     .value = "KEY[=VALUE]",
     .help = "Note something about the sandbox, for ls --filter"},
    {.name = "label-file",
     .kind = FlagKind::kList,
     .value = "FILE",
     .help = "Read labels from a file",
     .candidates = Candidates::kFiles},
    kIdleStop,
    kLoadLocal,
    {.name = "mcp",
     .kind = FlagKind::kList,
     .value = "NAME",
     .help = "Let the agent use this MCP server (sandbox mcp add), which runs in a sandbox of its own"},
    kMemory,
    kMountDockerSocket,
    kName,
    kNoGuidance,
    kPatchSettings,
    kPids,
    kPlatform,
    kPublish,
    kPull,
    kNoDockerCache,
    kRegistryAuth,
    kSshAgent,
    kTemplate,
    kTmpSize,
    kTtl,
    kVolume,
    kWorkdir,
    kWorkspace,
};

constexpr Flag kRunFlags[] = {
    {.name = "detached", .letter = 'd', .help = "Start the sandbox, print its name, and do not attach to the agent"},
    kDetachKeys,
    {.name = "new", .help = "Start another session, even if the agent has one"},
    {.name = "quiet", .letter = 'q', .help = "Say nothing but what the agent says"},
    {.name = "rm", .help = "Remove the sandbox when the agent ends, if this run has made it"},
};

constexpr Flag kCreateFlags[] = {kJson, {.name = "quiet", .letter = 'q', .help = "Print the name only"}};

constexpr Flag kUpdateFlags[] = {
    {.name = "agent-version", .kind = FlagKind::kText, .value = "VERSION", .help = "This version, and not the latest"},
    kJson,
    {.name = "quiet", .letter = 'q', .help = "Say nothing but the version"},
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

constexpr Flag kContextFlags[] = {
    {.name = "remove", .help = "Remove the context"},
};

constexpr Flag kAttachFlags[] = {
    kDetachKeys,
    {.name = "read-only", .help = "Only watch: what you type is not sent, and Ctrl-C detaches"},
};

constexpr Flag kSessionsFlags[] = {
    kJson,
    {.name = "no-trunc", .help = "Do not cut off long commands"},
};

constexpr Flag kLsFlags[] = {
    {.name = "filter",
     .letter = 'f',
     .kind = FlagKind::kList,
     .value = "KEY=VALUE",
     .help = "Only those with this agent, backend, label, part of a name or status"},
    kFormat,
    kJson,
    {.name = "no-trunc", .help = "Nothing is ever cut off", .hidden = true},
    {.name = "quiet", .letter = 'q', .help = "Print names only"},
    {.name = "size", .letter = 's', .help = "Also show what each takes on the disk"},
};

constexpr Flag kPruneFlags[] = {
    {.name = "dry-run", .help = "Only list what would be removed"},
    {.name = "filter",
     .kind = FlagKind::kList,
     .value = "KEY=VALUE",
     .help = "Only those that were not used for a time (until=24h), or as in ls (label=a, agent=shell)"},
    {.name = "force", .letter = 'f', .help = "Do not ask"},
};

constexpr Flag kStopFlags[] = {
    {.name = "time",
     .letter = 't',
     .kind = FlagKind::kText,
     .value = "SECONDS",
     .help = "How long programs may take to end before they are killed",
     .fallback = "2"},
};

constexpr Flag kRmFlags[] = {
    {.name = "all", .help = "Every sandbox"},
    {.name = "force", .letter = 'f', .help = "Do not mind a sandbox that is not there"},
};

constexpr Flag kResetFlags[] = {
    {.name = "all",
     .help = "Also remove templates, caches, stored secrets, loops and added MCP servers, and stop the daemon"},
    {.name = "force", .letter = 'f', .help = "Do not ask"},
};
constexpr Flag kInspectFlags[] = {kFormat, {.name = "json", .help = "Print JSON, as it does anyway", .hidden = true}};
constexpr Flag kJsonFlags[] = {kJson};
constexpr Flag kCpFlags[] = {
    {.name = "follow-link", .letter = 'L', .help = "If the source is a symbolic link, copy what it points to"},
};
constexpr Flag kLogsFlags[] = {
    {.name = "console", .help = "Show what the machine's own kernel has printed instead (microvm only)"},
    {.name = "follow", .letter = 'f', .help = "Go on until the sandbox stops"},
    {.name = "from",
     .kind = FlagKind::kText,
     .value = "N",
     .help = "Begin at byte N of all that was printed, instead of --tail"},
    {.name = "tail",
     .letter = 'n',
     .kind = FlagKind::kText,
     .value = "N",
     .help = "Only the last N lines (default: all)"},
};
constexpr Flag kDaemonStartFlags[] = {
    {.name = "detach", .letter = 'd', .help = "It always runs in the background", .hidden = true},
};

constexpr Flag kNetworkLogFlags[] = {
    {.name = "blocked", .help = "Only what was refused"},
    {.name = "follow", .letter = 'f', .help = "A line for each decision, as they come"},
    {.name = "hosts", .help = "Print hosts only, each once"},
    kJson,
    {.name = "limit",
     .kind = FlagKind::kText,
     .value = "N",
     .help = "Only the newest N of each table; with --follow, begin with the last N decisions (default: all, none)"},
    {.name = "quiet", .letter = 'q', .help = "Print no titles and no headers"},
};
constexpr Flag kPortsFlags[] = {
    kJson,
    kPublish,
    {.name = "unpublish",
     .kind = FlagKind::kList,
     .value = "[[HOST_IP:]HOST_PORT:]PORT",
     .help = "Take a port back, as it is shown or by the sandbox's port alone"},
};

constexpr Flag kSaveFlags[] = {
    kJson,
    {.name = "output",
     .letter = 'o',
     .kind = FlagKind::kText,
     .value = "FILE",
     .help = "Also write the template to an archive, as docker save does",
     .candidates = Candidates::kFiles},
    {.name = "quiet", .letter = 'q', .help = "Print the template's name only"},
};
constexpr Flag kNoTrunc{.name = "no-trunc", .help = "Do not cut anything off"};
constexpr Flag kQuietNames{.name = "quiet", .letter = 'q', .help = "Print names only"};
constexpr Flag kRowFormat{.name = "format",
                          .kind = FlagKind::kText,
                          .value = "FORMAT",
                          .help = "Print with a Go template, such as '{{.Name}}'"};

constexpr Flag kAgentsFlags[] = {kJson};
constexpr Flag kTemplateSaveFlags[] = {
    kJson,
    {.name = "output",
     .letter = 'o',
     .kind = FlagKind::kText,
     .value = "FILE",
     .help = "Where the archive goes; - is standard output",
     .fallback = "-",
     .candidates = Candidates::kFiles},
};

constexpr Flag kTemplateBuildFlags[] = {
    {.name = "build-arg", .kind = FlagKind::kList, .value = "KEY[=VALUE]", .help = "Set an ARG of the Dockerfile"},
    {.name = "file",
     .letter = 'f',
     .kind = FlagKind::kText,
     .value = "FILE",
     .help = "The Dockerfile (default: DIRECTORY/Dockerfile)",
     .candidates = Candidates::kFiles},
    kJson,
    {.name = "no-cache", .help = "Run every step, also those that were run before"},
    {.name = "quiet", .letter = 'q', .help = "Print the digest only"},
    {.name = "refresh", .help = "Build the template of an agent anew: template build --refresh claude"},
    {.name = "tag", .letter = 't', .kind = FlagKind::kText, .value = "NAME", .help = "Name for the template"},
    {.name = "target", .kind = FlagKind::kText, .value = "STAGE", .help = "Stage to build (default: the last)"},
};
constexpr Flag kTemplateLsFlags[] = {kRowFormat, kJson, kNoTrunc, kQuietNames};
constexpr Flag kTemplateHistoryFlags[] = {
    kRowFormat, kJson, kNoTrunc, {.name = "quiet", .letter = 'q', .help = "Print digests of layers only"}};
constexpr Flag kTemplateInspectFlags[] = {kRowFormat,
                                          {.name = "json", .help = "Print JSON, as it does anyway", .hidden = true}};
constexpr Flag kTemplateRmFlags[] = {
    {.name = "force", .letter = 'f', .help = "Do not mind a template that is not there"},
    kJson,
};
constexpr Flag kTemplatePruneFlags[] = {
    {.name = "all", .letter = 'a', .help = "Also those that have a name"},
    {.name = "force", .letter = 'f', .help = "Do not ask"},
    kJson,
};
constexpr Flag kTemplatePullFlags[] = {
    {.name = "from",
     .kind = FlagKind::kText,
     .value = "SOURCE",
     .help = "registry, docker, podman or auto",
     .fallback = "registry",
     .candidates = Candidates::kWords,
     .words = "registry docker podman auto"},
    kJson,
    {.name = "platform", .kind = FlagKind::kText, .value = "PLATFORM", .help = "Such as linux/arm64"},
    kQuietNames,
};
constexpr Flag kTemplatePushFlags[] = {kJson, kQuietNames};
constexpr Flag kTemplateLoadFlags[] = {
    kJson,
    kQuietNames,
    {.name = "tag",
     .letter = 't',
     .kind = FlagKind::kText,
     .value = "NAME",
     .help = "Name for the template, instead of the archive's"},
};

constexpr Flag kSecretAddFlags[] = {
    {.name = "file",
     .kind = FlagKind::kText,
     .value = "FILE",
     .help = "Read the value from a file",
     .candidates = Candidates::kFiles},
    {.name = "update", .help = "Overwrite a secret of that name"},
    {.name = "value", .kind = FlagKind::kText, .value = "VALUE", .help = "The value; others see it in ps meanwhile"},
};
constexpr Flag kSecretAuditFlags[] = {
    kJson,
    {.name = "tail", .kind = FlagKind::kText, .value = "N", .help = "Only the last N lines; 0: all", .fallback = "50"},
    {.name = "verify", .help = "Check that no line was changed, taken out or cut off"},
};
constexpr Flag kSecretCaptureFlags[] = {
    kJson,
    {.name = "name",
     .kind = FlagKind::kText,
     .value = "NAME",
     .help = "Name of the secret (default: that of the agent)",
     .candidates = Candidates::kSecrets},
    {.name = "update", .help = "Overwrite a secret of that name"},
};

constexpr Flag kSecretBindFlags[] = {
    {.name = "env",
     .kind = FlagKind::kText,
     .value = "VARIABLE",
     .help = "Variable that programs in the sandbox have, with a placeholder as its value"},
    {.name = "header",
     .kind = FlagKind::kText,
     .value = "'NAME: {}'",
     .help = "Header of requests to the hosts; {} stands for the secret"},
    {.name = "host", .kind = FlagKind::kList, .value = "HOST", .help = "Exact name of a host whose requests get it"},
    kJson,
    {.name = "sandbox",
     .kind = FlagKind::kText,
     .value = "SANDBOX",
     .help = "Only this sandbox (default: all)",
     .candidates = Candidates::kSandboxes},
    {.name = "service",
     .kind = FlagKind::kText,
     .value = "SERVICE",
     .help = "A service whose hosts and headers are known, instead of --host and --header",
     .candidates = Candidates::kWords,
     .words = "anthropic openai github google xai groq mistral openrouter nebius cursor droid"},
    {.name = "ttl", .kind = FlagKind::kText, .value = "TIME", .help = "Unbind it after this time, such as 8h"},
};
constexpr Flag kLeaseTtl{
    .name = "ttl", .kind = FlagKind::kText, .value = "TIME", .help = "How long, at most 24h", .fallback = "1h"};
constexpr Flag kSecretLeaseFlags[] = {
    {.name = "client-id", .kind = FlagKind::kText, .value = "ID", .help = "Who asks (default: this host's name)"},
    kJson,
    {.name = "raw", .help = "Print the value and nothing else"},
    kLeaseTtl,
};
constexpr Flag kSecretRevokeFlags[] = {{.name = "all", .help = "Every lease; running sandboxes lose theirs, too"}};
constexpr Flag kSecretExecFlags[] = {
    {.name = "trust-file", .help = "Also if a sandbox can write .secrets.json"},
    kLeaseTtl,
};
constexpr Flag kSecretEnvFlags[] = {
    {.name = "dry-run", .help = "Only list the variables and their secrets"},
    {.name = "force", .help = "Overwrite any file, and write where a sandbox can read it"},
    {.name = "output", .letter = 'o', .kind = FlagKind::kText, .value = "FILE", .help = "The file", .fallback = ".env"},
    kLeaseTtl,
};

std::vector<Flag> sorted(std::span<const Flag> some, std::span<const Flag> others) {
  std::vector<Flag> flags(some.begin(), some.end());
  flags.insert(flags.end(), others.begin(), others.end());
  std::ranges::sort(flags, {}, &Flag::name);
  return flags;
}

// A flag for each edit that the policy knows. Values in lower case are the words that it takes.
std::vector<Flag> edit_flags() {
  std::vector<Flag> flags;
  for (const policy::EditKind& kind : policy::edit_kinds()) {
    const bool takes_words = std::ranges::any_of(kind.value, [](char c) { return c >= 'a' && c <= 'z'; });
    flags.push_back({.name = kind.name,
                     .kind = kind.value.empty() ? FlagKind::kSwitch : FlagKind::kList,
                     .value = kind.value,
                     .help = kind.help,
                     .candidates = takes_words ? Candidates::kWords : Candidates::kNone,
                     .words = takes_words ? kind.value : ""});
  }
  return flags;
}

// What run and create take of them: those that say what may be reached. To go back, there is `network proxy`.
std::vector<Flag> creation_flags() {
  std::vector<Flag> flags = edit_flags();
  std::erase_if(flags, [](const Flag& flag) { return flag.name == "reset" || flag.name == "remove-host"; });
  flags.insert(flags.end(), std::begin(kCreationFlags), std::end(kCreationFlags));
  return flags;
}

}  // namespace

std::span<const Flag> global_flags() { return kGlobalFlags; }
std::span<const Flag> attach_flags() { return kAttachFlags; }
std::span<const Flag> context_flags() { return kContextFlags; }
std::span<const Flag> cp_flags() { return kCpFlags; }
std::span<const Flag> daemon_start_flags() { return kDaemonStartFlags; }
std::span<const Flag> exec_flags() { return kExecFlags; }
std::span<const Flag> inspect_flags() { return kInspectFlags; }
std::span<const Flag> json_flags() { return kJsonFlags; }
std::span<const Flag> logs_flags() { return kLogsFlags; }
std::span<const Flag> ls_flags() { return kLsFlags; }
std::span<const Flag> network_log_flags() { return kNetworkLogFlags; }
std::span<const Flag> ports_flags() { return kPortsFlags; }
std::span<const Flag> prune_flags() { return kPruneFlags; }
std::span<const Flag> stop_flags() { return kStopFlags; }
std::span<const Flag> reset_flags() { return kResetFlags; }
std::span<const Flag> rm_flags() { return kRmFlags; }
std::span<const Flag> save_flags() { return kSaveFlags; }
std::span<const Flag> secret_add_flags() { return kSecretAddFlags; }
std::span<const Flag> secret_audit_flags() { return kSecretAuditFlags; }
std::span<const Flag> secret_bind_flags() { return kSecretBindFlags; }
std::span<const Flag> secret_capture_flags() { return kSecretCaptureFlags; }
std::span<const Flag> secret_env_flags() { return kSecretEnvFlags; }
std::span<const Flag> secret_exec_flags() { return kSecretExecFlags; }
std::span<const Flag> secret_lease_flags() { return kSecretLeaseFlags; }
std::span<const Flag> secret_revoke_flags() { return kSecretRevokeFlags; }
std::span<const Flag> sessions_flags() { return kSessionsFlags; }
std::span<const Flag> template_history_flags() { return kTemplateHistoryFlags; }
std::span<const Flag> template_inspect_flags() { return kTemplateInspectFlags; }
std::span<const Flag> template_load_flags() { return kTemplateLoadFlags; }
std::span<const Flag> agents_flags() { return kAgentsFlags; }
std::span<const Flag> update_flags() { return kUpdateFlags; }
std::span<const Flag> template_push_flags() { return kTemplatePushFlags; }
std::span<const Flag> template_save_flags() { return kTemplateSaveFlags; }
std::span<const Flag> template_build_flags() { return kTemplateBuildFlags; }
std::span<const Flag> template_ls_flags() { return kTemplateLsFlags; }
std::span<const Flag> template_prune_flags() { return kTemplatePruneFlags; }
std::span<const Flag> template_pull_flags() { return kTemplatePullFlags; }
std::span<const Flag> template_rm_flags() { return kTemplateRmFlags; }

std::span<const Flag> create_flags() {
  static const std::vector<Flag> flags = sorted(creation_flags(), kCreateFlags);
  return flags;
}

std::span<const Flag> run_flags() {
  static const std::vector<Flag> flags = sorted(creation_flags(), kRunFlags);
  return flags;
}

std::span<const Flag> network_proxy_flags() {
  static const std::vector<Flag> flags = [] {
    std::vector<Flag> all = edit_flags();
    all.push_back(kJson);
    return all;
  }();
  return flags;
}

}  // namespace sbx::cli
