// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>

#include "base/child.h"
#include "base/format.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/session.h"
#include "cli/terminal/terminal.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

// Of a sandbox that has a Docker daemon.
Result<std::string> docker_host(const Context& context, const std::string& name) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const wire::SandboxInfo info, get_sandbox(client, name));
  if (!wire::has_docker(info.docker))
    return fail(Code::kConflict, sbx::format("sandbox {} has no Docker daemon", name),
                sbx::format("{0} stop {1}; {0} run --docker on-demand {1}", context.program, name));
  return "unix://" + info.state_directory + "/docker.sock";
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
  TRY_ASSIGN(const std::string host, docker_host(context, name));
  const auto program = find_program("docker");
  if (!program) return run_inside(context, name, arguments.rest());
  std::vector<std::string> words{"docker", "--host", host};
  words.insert(words.end(), arguments.rest().begin(), arguments.rest().end());
  become_docker(*program, words);
}

Result<int> context(Context& context, const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  const std::string known = "sandbox-" + name;
  const auto program = find_program("docker");
  if (program && arguments.on("remove")) become_docker(*program, {"docker", "context", "rm", known});  // it may be gone
  TRY_ASSIGN(const std::string host, docker_host(context, name));
  if (!program) return fail(Code::kUnavailable, "there is no docker client here", "DOCKER_HOST=" + host);
  become_docker(*program,
                {"docker", "context", "create", known, "--description", "sandbox " + name, "--docker", "host=" + host});
}

}  // namespace sbx::cli::verbs
