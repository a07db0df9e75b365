// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/child.h"
#include "base/file.h"
#include "base/format.h"
#include "base/json.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/session.h"
#include "cli/terminal/terminal.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

// The state directory of a sandbox that has a Docker daemon.
Result<std::string> state_with_docker(const Context& context, const std::string& name) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const wire::SandboxInfo info, get_sandbox(client, name));
  if (!wire::has_docker(info.docker))
    return fail(Code::kConflict, sbx::format("sandbox {} has no Docker daemon", name),
                sbx::format("{0} stop {1}; {0} run --docker on-demand {1}", context.program, name));
  return info.state_directory;
}

std::string docker_host(const std::string& state) { return "unix://" + state + "/docker.sock"; }

// Where the user's own docker keeps its plugins.
std::string user_plugins() {
  const char* const config = std::getenv("DOCKER_CONFIG");
  const char* const home = std::getenv("HOME");
  if (config != nullptr && *config != '\0') return std::string(config) + "/cli-plugins";
  return std::string(home != nullptr ? home : "") + "/.docker/cli-plugins";
}

// SECURITY: docker's client sends the user's registry logins and proxy settings to the daemon that it talks to, and
// with BuildKit any login that the daemon asks for. This daemon is the guest's. So the client gets a configuration of
// the sandbox's own, which has none of them; a login made with it stays with this sandbox.
Result<std::string> own_configuration(const std::string& state) {
  const std::string directory = state + "/docker-client";
  const std::string file = directory + "/config.json";
  TRY(make_directories(directory, 0700));
  if (!exists(file)) TRY(write_file_atomically(file, dump(Json{{"cliPluginsExtraDirs", {user_plugins()}}}) + "\n"));
  for (const char* variable : {"DOCKER_CONFIG", "DOCKER_AUTH_CONFIG", "DOCKER_CONTEXT"}) ::unsetenv(variable);
  return directory;
}

[[noreturn]] void become_docker(const std::string& program, const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  std::perror(program.c_str());
  ::_exit(126);
}

// By the sandbox's own client, where the host has none.
Result<int> run_inside(const Context& context, const std::string& name, const std::vector<std::string>& words) {
  wire::ExecRequest request;
  request.command = {"docker"};
  request.command.insert(request.command.end(), words.begin(), words.end());
  request.interactive = true;
  request.tty = is_terminal(context.streams.in) && is_terminal(context.streams.out);
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const SessionEnd end, run_session(context, client, name, std::move(request), ""));
  return end.code;
}

}  // namespace

Result<int> docker(Context& context, const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  TRY_ASSIGN(const std::string state, state_with_docker(context, name));
  const auto program = find_program("docker");
  if (!program) return run_inside(context, name, arguments.rest());
  TRY_ASSIGN(const std::string configuration, own_configuration(state));
  std::vector<std::string> words{"docker", "--config", configuration, "--host", docker_host(state)};
  words.insert(words.end(), arguments.rest().begin(), arguments.rest().end());
  become_docker(*program, words);
}

Result<int> context(Context& context, const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  const std::string known = "sandbox-" + name;
  const auto program = find_program("docker");
  if (program && arguments.on("remove")) become_docker(*program, {"docker", "context", "rm", known});  // it may be gone
  TRY_ASSIGN(const std::string state, state_with_docker(context, name));
  const std::string host = docker_host(state);
  if (!program) return fail(Code::kUnavailable, "there is no docker client here", "DOCKER_HOST=" + host);
  note("With this context docker sends your registry logins to the sandbox's daemon when it pulls, pushes or builds;");
  note(sbx::format("{} docker {} sends none.", context.program, name));
  become_docker(*program,
                {"docker", "context", "create", known, "--description", "sandbox " + name, "--docker", "host=" + host});
}

}  // namespace sbx::cli::verbs
