// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "cli/commands.h"
#include "cli/commands/verbs.h"
#include "cli/grammar/flag_tables.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

const CliCommand kSecretCommands[] = {
    {.name = "secret",
     .group = kManagementGroup,
     .usage = "COMMAND",
     .summary = "Manage the secrets that sandboxes use without having them",
     .details = "A secret is kept encrypted on the host. Requests of a sandbox to the hosts of its\n"
                "service get it on their way out; programs in the sandbox see a placeholder.\n"
                "A secret named after a service (anthropic, openai, github, ...) or its variable\n"
                "is used by every sandbox; others need `secret bind`. docs/credentials.md says\n"
                "more. The program `secrets` is this command, too: `secrets add NAME`."},
    {.name = "secret add",
     .group = kManagementGroup,
     .usage = "[OPTIONS] NAME",
     .summary = "Store a secret",
     .details = "The value comes from standard input, --file or --value; on a terminal it is asked\n"
                "for and not shown. A newline at its end is not part of it. Running sandboxes that\n"
                "use it get it at once.",
     .examples = "secret add anthropic < key.txt\nsecret add claude_setup_token --value \"$TOKEN\"\n"
                 "secret add codex_auth_json --file ~/.codex/auth.json --update",
     .flags = secret_add_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kSecrets,
     .handler = verbs::secret_add},
    {.name = "secret ls",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "List secrets, without their values",
     .flags = json_flags(),
     .handler = verbs::secret_ls},
    {.name = "secret rm",
     .group = kManagementGroup,
     .usage = "NAME [NAME...]",
     .summary = "Remove secrets, with their bindings and leases",
     .details = "Running sandboxes cannot use them any more.",
     .fewest = 1,
     .most = kAnyNumber,
     .candidates = Candidates::kSecrets,
     .handler = verbs::secret_rm},
    {.name = "secret lease",
     .group = kManagementGroup,
     .usage = "[OPTIONS] NAME",
     .summary = "Hand out the value of a secret, for a time, and note it",
     .details = "The one way to see a value again. It is in the audit log, with who asked.",
     .examples = "secret lease github --ttl 10m --raw\nsecret lease github --client-id ci --json",
     .flags = secret_lease_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kSecrets,
     .handler = verbs::secret_lease},
    {.name = "secret leases",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "List leases: who was given which secret, and until when",
     .details = "Those of sandboxes are renewed while the sandbox runs.",
     .flags = json_flags(),
     .handler = verbs::secret_leases},
    {.name = "secret revoke",
     .group = kManagementGroup,
     .usage = "[OPTIONS] [LEASE...]",
     .summary = "End leases before their time",
     .details = "A sandbox whose lease is revoked cannot use the secret until it is started again:\n"
                "its requests are refused and its open connections closed. A value that was handed\n"
                "to a client cannot be taken back.",
     .examples = "secret revoke 1b4e28ba-2fa1-41d2-883f-0016d3cca427\nsecret revoke --all",
     .flags = secret_revoke_flags(),
     .most = kAnyNumber,
     .handler = verbs::secret_revoke},
    {.name = "secret audit",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "Show what was done with secrets, and check the log of it",
     .details = "With --verify the exit code is 1 if the log was tampered with.",
     .examples = "secret audit --tail 10\nsecret audit --verify",
     .flags = secret_audit_flags(),
     .handler = verbs::secret_audit},
    {.name = "secret status",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "Show where secrets are kept, and whether the store can be used",
     .flags = json_flags(),
     .handler = verbs::secret_status},
    {.name = "secret bind",
     .group = kManagementGroup,
     .usage = "[OPTIONS] NAME",
     .summary = "Let requests to some hosts have a secret",
     .details = "To the hosts of a service, or to hosts of your choice with a header of your choice.\n"
                "Only over verified TLS. It holds at once in running sandboxes.",
     .examples = "secret bind work-key --service anthropic --sandbox box\n"
                 "secret bind wiki --host wiki.test --header 'X-Key: {}'",
     .flags = secret_bind_flags(),
     .fewest = 1,
     .most = 1,
     .candidates = Candidates::kSecrets,
     .handler = verbs::secret_bind},
    {.name = "secret unbind",
     .group = kManagementGroup,
     .usage = "BINDING|NAME [BINDING|NAME...]",
     .summary = "Take bindings back: one by its id, or all of a secret",
     .fewest = 1,
     .most = kAnyNumber,
     .candidates = Candidates::kSecrets,
     .handler = verbs::secret_unbind},
    {.name = "secret bindings",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "List which secrets go where",
     .flags = json_flags(),
     .handler = verbs::secret_bindings},
    {.name = "secret capture",
     .group = kManagementGroup,
     .usage = "[OPTIONS] SANDBOX claude|codex",
     .summary = "Take a login that was made in a sandbox out of it, into the store",
     .details = "Log in once in a sandbox, and capture the login: it is stored as a secret and bound to\n"
                "the sandbox, which has a file with placeholders instead. From then on the tokens are\n"
                "refreshed on the host. Named claude or codex, it is used by every sandbox. What runs in\n"
                "the sandbox may still know the token that it had.",
     .examples = "secret capture box claude\nsecret capture box codex --name work --json",
     .flags = secret_capture_flags(),
     .fewest = 2,
     .most = 2,
     .candidates = Candidates::kSandboxes,
     .more_candidates = Candidates::kWords,
     .words = "claude|codex",
     .handler = verbs::secret_capture},
    {.name = "secret exec",
     .group = kManagementGroup,
     .usage = "[OPTIONS] -- COMMAND [ARG...]",
     .summary = "Run a command of this host with the secrets of .secrets.json",
     .details = "The file is searched for here and in the directories above; the command runs where\n"
                "it is: {\"secrets\": [{\"name\": \"github\", \"env_var\": \"GITHUB_TOKEN\"}]}. The\n"
                "leases end with the command, whose exit code is passed on. A file that a sandbox\n"
                "can write is shown, and refused without --trust-file. Variables that programs\n"
                "take orders from (PATH, BASH_ENV, GIT_SSH_COMMAND) hold no secrets.",
     .examples = "secret exec -- make deploy",
     .flags = secret_exec_flags(),
     .grammar = Grammar::kSplitAtDashes,
     .most = kAnyNumber,
     .handler = verbs::secret_exec},
    {.name = "secret env",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "Write the secrets of .secrets.json to a file of variables",
     .details = "Beside .secrets.json. A file that a sandbox could read is not written without\n"
                "--force, nor is one that this command has not made.",
     .flags = secret_env_flags(),
     .handler = verbs::secret_env},
};

}  // namespace

std::span<const CliCommand> secret_commands() { return kSecretCommands; }

}  // namespace sbx::cli
