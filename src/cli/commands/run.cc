// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0

#include <span>

#include "agents/agents.h"
#include "base/format.h"
#include "cli/client/agent_config.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/going_back.h"
#include "cli/terminal/session.h"
#include "cli/terminal/terminal.h"
#include "cli/views/output.h"
#include "cli/words/agent_name.h"
#include "cli/words/creation.h"
#include "cli/words/preferences.h"

namespace sbx::cli::verbs {
namespace {

constexpr const char* kWhich = "which agent, or which sandbox?";

// An agent's sandbox for a directory, or one by its name. One request makes it what is asked for, and starts it.
Result<wire::CreateRequest> run_request(const Context& context, const Arguments& arguments) {
  std::span<const std::string> operands = arguments.operands();
  TRY_ASSIGN(const agents::Catalogue agents, known_agents());
  // With an image of the user's any name is an agent: the program of that name in it.
  const bool has_own_agent = operands.size() > 1 && arguments.given("template");
  const bool has_agent = has_own_agent || (!operands.empty() && agents.find(operands[0]) != nullptr);
  if (operands.size() > 1 && !has_agent) return fail(unknown_agent(operands[0]).as(Code::kNotFound));
  if (!operands.empty() && operands[0].empty()) return fail(Code::kInvalid, kWhich, context.program + " ls");
  const std::string word = operands.empty() ? "" : operands[0];
  if (!operands.empty()) operands = operands.subspan(1);
  TRY_ASSIGN(auto request, create_request(context, arguments, has_agent ? word : "", operands));
  if (!has_agent && !word.empty() && arguments.given("name") && request.name != word)
    return fail(Code::kInvalid, sbx::format("{} \"{}\" and --name {} are two", kWhich, word, request.name));
  if (!has_agent && !word.empty()) request.name = word;
  request.reuse = request.start = true;
  return request;
}

// The vendor's way to hand over a token. Here it would be in the sandbox, and in the list of its processes.
Result<> check_arguments(const std::string& agent, const std::vector<std::string>& arguments) {
  constexpr std::string_view kFlag = "--setup-token";
  for (const std::string& argument : arguments)
    if (agent == "claude" && (argument == kFlag || argument.starts_with(std::string(kFlag) + "=")))
      return fail(Code::kInvalid, "--setup-token would put your token into the sandbox: store it on the host instead",
                  "sandbox secret add claude_setup_token");
  return Ok{};
}

// A word that is neither a sandbox nor an agent may be meant as either.
Error not_found(const Context& context, const std::string& word) {
  return Error(Code::kNotFound, sbx::format("sandbox \"{}\" not found, and {}", word, unknown_agent(word).what()),
               context.program + " ls");
}

Result<wire::SandboxInfo> running_sandbox(const Context& context, const Client& client, const Arguments& arguments,
                                          const wire::CreateRequest& request, bool quiet) {
  auto sandbox = create_with_progress(context, client, request, quiet);
  const bool by_word = request.agent.empty() && !arguments.operands().empty();
  if (!sandbox && by_word && sandbox.error().code() == Code::kNotFound) return fail(not_found(context, request.name));
  return sandbox;
}

void announce(const Context& context, const Arguments& arguments, const wire::SandboxInfo& sandbox) {
  if (sandbox.created)
    note(sbx::format("{} Created sandbox {} ({})", styled(context.streams.err, Style::kGood, "✓"), sandbox.name,
                     word_of(sandbox.isolation)));
  if (!sandbox.note.empty()) note_lines(context.as_typed(sandbox.note));
  if (arguments.on("agent-config") && !sandbox.created)
    note(sbx::format("Sandbox {} was there before this run: its configuration stays as it is.", sandbox.name));
  if (arguments.on("rm") && !sandbox.created)
    note(sbx::format("Sandbox {} was there before this run, and --rm keeps it: {} rm {}", sandbox.name, context.program,
                     sandbox.name));
}

Result<wire::ExecRequest> request_for(const Context& context, const Arguments& arguments,
                                      const wire::SandboxInfo& sandbox, wire::Environment environment) {
  std::vector<std::string> usual = sandbox.agent_command;
  // A sandbox of before has the command of our table.
  if (const agents::Agent* agent = agents::find(sandbox.agent); usual.empty() && agent != nullptr)
    usual = agent->command;
  if (usual.empty())
    return fail(Code::kConflict,
                sbx::format("sandbox {} is for the agent \"{}\", which is not known here", sandbox.name, sandbox.agent),
                sbx::format("{} exec -it {} bash", context.program, sandbox.name));
  wire::ExecRequest request;
  request.command = agents::command_line(sandbox.agent, usual, arguments.rest());
  request.directory = arguments.text("workdir");
  request.interactive = true;
  request.tty = is_terminal(context.streams.in) && is_terminal(context.streams.out);
  request.agent = true;
  request.preferences = terminal_preferences(request.tty);
  // A sandbox that was just made has these for good.
  if (!sandbox.created) request.environment = std::move(environment);
  return request;
}

Result<int> run_detached(const Context& context, const Client& client, const Arguments& arguments,
                         const wire::SandboxInfo& sandbox, wire::ExecRequest request) {
  int code = 0;
  if (!arguments.rest().empty()) {
    request.detach = true;
    request.tty = request.interactive = false;
    TRY_ASSIGN(code, start_detached(context, client, sandbox.name, request));
  }
  if (code == 0) print(sandbox.name + "\n");
  return code;
}

// In the agent's session that runs, or in a new one.
Result<SessionEnd> run_in_session(const Context& context, const Client& client, const Arguments& arguments,
                                  const wire::SandboxInfo& sandbox, wire::ExecRequest request) {
  const std::string keys = arguments.text("detach-keys");
  if (request.tty && !sandbox.created && !arguments.on("new")) {
    const bool is_special = arguments.given("env") || arguments.given("env-file") || arguments.given("workdir");
    TRY_ASSIGN(const auto end,
               go_back(context, client, sandbox.name, request, {keys, is_special, arguments.on("quiet")}));
    if (end) return *end;
  }
  return run_session(context, client, sandbox.name, std::move(request), keys);
}

Result<int> run_attached(const Context& context, const Client& client, const Arguments& arguments,
                         const wire::SandboxInfo& sandbox, wire::ExecRequest request) {
  const auto end = run_in_session(context, client, arguments, sandbox, std::move(request));
  if (arguments.on("rm") && sandbox.created && !(end && end->detached)) {
    if (auto removed = remove_sandbox(client, sandbox.name); !removed) context.print_error(removed.error());
  }
  TRY(end);
  return end->code;
}

}  // namespace

Result<int> run(Context& context, const Arguments& arguments) {
  if (arguments.operands().empty() && !arguments.given("name"))
    return fail(Code::kInvalid, kWhich, context.program + " run shell .");
  if (arguments.on("rm") && arguments.on("detached"))
    return fail(Code::kInvalid, "--rm and --detached exclude each other: the CLI would not notice the end");
  TRY_ASSIGN(wire::CreateRequest wanted, run_request(context, arguments));
  TRY(check_arguments(wanted.agent, arguments.rest()));
  if (arguments.on("agent-config") && !wanted.agent.empty()) TRY(check_agent_config(wanted.agent));
  TRY_ASSIGN(const Client client, context.client());
  const bool quiet = arguments.on("quiet");
  TRY_ASSIGN(const wire::SandboxInfo sandbox, running_sandbox(context, client, arguments, wanted, quiet));
  TRY(check_arguments(sandbox.agent, arguments.rest()));
  if (!quiet) announce(context, arguments, sandbox);
  if (arguments.on("agent-config") && sandbox.created) TRY(bring_agent_config(context, client, sandbox, quiet));
  TRY_ASSIGN(wire::ExecRequest request, request_for(context, arguments, sandbox, std::move(wanted.environment)));
  if (arguments.on("detached")) return run_detached(context, client, arguments, sandbox, std::move(request));
  return run_attached(context, client, arguments, sandbox, std::move(request));
}

}  // namespace sbx::cli::verbs
