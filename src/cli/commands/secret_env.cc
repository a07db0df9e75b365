// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/format.h"
#include "base/found_path.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/client/secrets.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/signals.h"
#include "cli/views/output.h"
#include "cli/words/lease_words.h"
#include "cli/words/secrets_file.h"

// What .secrets.json asks for, as variables of one program or as a file.
namespace sbx::cli::verbs {
namespace {

constexpr std::size_t kLargestFile = 1u << 20;
constexpr const char* kManaged = "# secrets-managed: true\n";

struct Project {
  std::string directory;
  SecretsFile file;
  std::string sandbox;  // that can write the file; "": none can
};

struct LeasedVariable {
  std::string variable;
  wire::LeasedSecret leased;
};

Result<Project> find_project(const Client& client) {
  TRY_ASSIGN(const std::string here, canonical_path("."));
  TRY_ASSIGN(const std::string path, find_secrets_file(here));
  TRY_ASSIGN(const auto shared, shared_directories(client));
  TRY_ASSIGN(const FoundPath found, find_path(path, LastLink::kFollowed, shared));
  TRY_ASSIGN(std::string sandbox, shared.sandbox_around(found.directory));
  TRY_ASSIGN(const Fd file, open_to_read(path, shared));
  TRY_ASSIGN(const std::string text, read_all(file, kLargestFile));
  TRY_ASSIGN(SecretsFile wanted, parse_secrets_file(text));
  return Project{path.substr(0, path.find_last_of('/')), std::move(wanted), std::move(sandbox)};
}

// SECURITY: a sandbox that can write the file decides which secrets a program of this host gets, and as what.
Result<> check_trusted(const Project& project, bool is_trusted) {
  if (project.sandbox.empty()) return Ok{};
  note(sbx::format("Sandbox {} can write {}/.secrets.json, which asks for:", project.sandbox,
                   printable(project.directory)));
  for (const auto& wanted : project.file.secrets)
    note(sbx::format("  secret {} as {}", printable(wanted.name), printable(wanted.variable)));
  if (is_trusted) return Ok{};
  return fail(Code::kForbidden, sbx::format("sandbox {} would decide which secrets the command gets", project.sandbox),
              "sandbox secret exec --trust-file -- COMMAND");
}

void revoke(const Client& client, const std::vector<LeasedVariable>& leased) {
  for (const LeasedVariable& one : leased) (void)revoke_lease(client, one.leased.lease_id);
}

// All of them, or none.
Result<std::vector<LeasedVariable>> lease_all(const Client& client, const SecretsFile& file, const std::string& ttl) {
  TRY_ASSIGN(const auto usual, lease_request_of(ttl, file.client_id));
  std::vector<LeasedVariable> all;
  for (const auto& wanted : file.secrets) {
    wire::LeaseRequest request = usual;
    if (wanted.ttl_s != 0) request.ttl_s = wanted.ttl_s;
    auto leased = lease_secret(client, wanted.name, request);
    if (!leased) {
      revoke(client, all);
      return fail(std::move(leased).error());
    }
    all.push_back({wanted.variable, std::move(*leased)});
  }
  return all;
}

std::vector<std::string> environment_with(const std::vector<LeasedVariable>& leased) {
  std::vector<std::string> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    bool replaced = false;
    for (const auto& one : leased) replaced = replaced || text.starts_with(one.variable + "=");
    if (!replaced) environment.emplace_back(text);
  }
  for (const auto& one : leased) environment.push_back(one.variable + "=" + one.leased.value);
  return environment;
}

std::string env_file_text(const std::vector<LeasedVariable>& leased) {
  std::string first_end = leased.front().leased.expires_at;
  for (const auto& one : leased) first_end = std::min(first_end, one.leased.expires_at);
  std::string text = kManaged + ("# secrets-ttl: " + first_end) + "\n# secrets-source: sandbox secret\n";
  for (const auto& one : leased) text += env_line(one.variable, one.leased.value);
  return text;
}

// Not over a file of the user's own, and not where a sandbox would read it.
Result<> check_writable(const Client& client, const std::string& path, bool force) {
  if (force) return Ok{};
  TRY_ASSIGN(const auto shared, shared_directories(client));
  TRY_ASSIGN(const Fd directory, open_path(path.substr(0, path.find_last_of('/')), O_PATH | O_DIRECTORY));
  TRY_ASSIGN(const std::string sandbox, shared.sandbox_around(directory));
  if (!sandbox.empty())
    return fail(Code::kForbidden,
                sbx::format("{} is in a directory that sandbox {} sees: the secrets would enter it", path, sandbox),
                "sandbox secret exec -- COMMAND");
  if (!exists(path)) return Ok{};
  TRY_ASSIGN(const std::string text, read_file(path, kLargestFile));
  if (text.starts_with(kManaged)) return Ok{};
  return fail(Code::kConflict, path + " is there already, and not made by this command", "sandbox secret env --force");
}

Result<int> run_to_end(const std::vector<std::string>& command, const std::string& directory,
                       const std::vector<LeasedVariable>& leased) {
  // The leases are to end after the command, whatever ends it.
  TRY_ASSIGN(SignalReader signals, SignalReader::take({SIGINT, SIGQUIT, SIGTERM, SIGHUP}));
  TRY_ASSIGN(Child child, Child::start({.argv = command,
                                        .environment = environment_with(leased),
                                        .directory = directory,
                                        .stdin_fd = STDIN_FILENO,
                                        .stdout_fd = STDOUT_FILENO,
                                        .stderr_fd = STDERR_FILENO}));
  for (;;) {
    std::array<pollfd, 2> ready{pollfd{signals.fd().get(), POLLIN, 0}, pollfd{child.pidfd().get(), POLLIN, 0}};
    (void)::poll(ready.data(), ready.size(), -1);
    // What the terminal sends for a key has reached the command, too.
    while (const auto number = signals.next())
      if (*number == SIGTERM || *number == SIGHUP) TRY(child.signal(*number));
    if (ready[1].revents == 0) continue;
    TRY_ASSIGN(const Exit exit, child.wait());
    return exit.code;
  }
}

}  // namespace

Result<int> secret_exec(Context& context, const Arguments& arguments) {
  if (arguments.rest().empty())
    return fail(Code::kInvalid, "secret exec requires a command", "sandbox secret exec -- COMMAND");
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const Project project, find_project(client));
  TRY(check_trusted(project, arguments.on("trust-file")));
  TRY_ASSIGN(const auto leased, lease_all(client, project.file, arguments.text("ttl")));
  auto code = run_to_end(arguments.rest(), project.directory, leased);
  revoke(client, leased);
  return code;
}

Result<int> secret_env(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const Project project, find_project(client));
  const std::string path = project.directory + "/" + arguments.text("output");
  if (arguments.on("dry-run")) {
    for (const auto& wanted : project.file.secrets) print(printable(wanted.variable + "  " + wanted.name) + "\n");
    return 0;
  }
  TRY(check_writable(client, path, arguments.on("force")));
  TRY_ASSIGN(const auto leased, lease_all(client, project.file, arguments.text("ttl")));
  if (auto written = write_file_atomically(path, env_file_text(leased)); !written) {
    revoke(client, leased);
    return fail(std::move(written).error());
  }
  print(sbx::format("{} Wrote {}\n", styled(context.streams.out, Style::kGood, "✓"), printable(path)));
  return 0;
}

}  // namespace sbx::cli::verbs
