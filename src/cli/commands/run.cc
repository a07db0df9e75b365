// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "agents/agents.h"
#include "base/format.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/going_back.h"
#include "cli/terminal/session.h"
#include "cli/terminal/terminal.h"
#include "cli/views/output.h"
#include "cli/words/creation.h"
#include "cli/words/environment.h"
#include "cli/words/port_spec.h"

namespace sbx::cli::verbs {
namespace {

void announce(const Context& context, const wire::SandboxInfo& made) {
  note(sbx::format("{} Created sandbox {} ({})", styled(context.streams.err, Style::kGood, "✓"), made.name,
                   made.isolation));
  if (!made.note.empty()) note(made.note);
}

Result<wire::SandboxInfo> create_or_reuse(const Context& context, const Client& client, const Arguments& arguments) {
  const auto& operands = arguments.operands();
  TRY_ASSIGN(wire::CreateRequest request,
             create_request(context, arguments, operands[0], std::span(operands).subspan(1)));
  request.reuse = true;
  const bool quiet = arguments.on("quiet") || arguments.on("detached");
  TRY_ASSIGN(wire::SandboxInfo made, create_with_progress(context, client, request, quiet));
  if (made.created && !quiet) announce(context, made);
  return made;
}

Result<wire::SandboxInfo> existing(const Client& client, const std::string& name) {
  auto sandbox = get_sandbox(client, name);
  if (sandbox) sandbox->created = false;
  return sandbox;
}

// A word that is neither a sandbox nor an agent may be meant as either.
Result<wire::SandboxInfo> existing_or_unknown(const Context& context, const Client& client, const std::string& word) {
  auto sandbox = existing(client, word);
  if (sandbox || sandbox.error().code() != Code::kNotFound) return sandbox;
  return fail(Code::kNotFound, sbx::format("no sandbox named \"{}\", and {}", word, unknown_agent(word).what()),
              context.program + " ls");
}

// The sandbox that is meant: an agent's for a directory, or one by its name.
Result<wire::SandboxInfo> find_or_create(const Context& context, const Client& client, const Arguments& arguments) {
  const auto& operands = arguments.operands();
  if (!operands.empty() && agents::find(operands[0]) != nullptr) return create_or_reuse(context, client, arguments);
  if (operands.size() > 1) return fail(unknown_agent(operands[0]));
  if (!operands.empty()) return existing_or_unknown(context, client, operands[0]);
  return existing(client, arguments.text("name"));
}

// What a sandbox that was there already lacks of the ports and hosts that are asked for. Asked for again, nothing
// happens.
Result<> add_to(const Client& client, const Arguments& arguments, const wire::SandboxInfo& sandbox) {
  std::vector<wire::PublishedPort> ports;
  for (const std::string& text : arguments.list("publish")) {
    TRY_ASSIGN(const auto specs, parse_ports("publish", text));
    for (const PortSpec& spec : specs)
      if (std::ranges::none_of(sandbox.ports, [&](const auto& port) { return spec.matches(port); }))
        ports.push_back(spec.published());
  }
  std::vector<wire::StaticHost> hosts;
  for (const std::string& text : arguments.list("add-host")) {
    TRY_ASSIGN(wire::StaticHost host, parse_static_host(text));
    hosts.push_back(std::move(host));
  }
  if (!hosts.empty()) TRY(add_hosts(client, sandbox.name, hosts));
  if (!ports.empty()) TRY(change_ports(client, sandbox.name, ports, {}));
  return Ok{};
}

Result<wire::ExecRequest> request_for(const Context& context, const Arguments& arguments,
                                      const wire::SandboxInfo& sandbox) {
  const agents::Agent* agent = agents::find(sandbox.agent);
  if (agent == nullptr)
    return fail(Code::kConflict,
                sbx::format("sandbox {} is for the agent \"{}\", which is not known here", sandbox.name, sandbox.agent),
                sbx::format("{} exec -it {} bash", context.program, sandbox.name));
  wire::ExecRequest request;
  request.command = agents::command_line(*agent, arguments.rest());
  request.directory = arguments.text("workdir");
  request.interactive = true;
  request.tty = is_terminal(context.streams.in) && is_terminal(context.streams.out);
  request.agent = true;
  // A sandbox that was just made has these for good.
  if (!sandbox.created) {
    TRY_ASSIGN(request.environment, environment_from(context, arguments));
  }
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
  if (arguments.on("rm") && !(end && end->detached)) {
    if (auto removed = remove_sandbox(client, sandbox.name); !removed)
      print_error(removed.error(), context.streams.err);
  }
  TRY(end);
  return end->code;
}

}  // namespace

Result<int> run(Context& context, const Arguments& arguments) {
  if (arguments.operands().empty() && !arguments.given("name"))
    return fail(Code::kInvalid, "which agent, or which sandbox?", context.program + " run shell .");
  if (arguments.on("rm") && arguments.on("detached"))
    return fail(Code::kInvalid, "--rm and --detached exclude each other: the CLI would not notice the end");
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(wire::SandboxInfo sandbox, find_or_create(context, client, arguments));
  TRY_ASSIGN(wire::ExecRequest request, request_for(context, arguments, sandbox));
  if (!sandbox.created) TRY(add_to(client, arguments, sandbox));
  if (sandbox.status != wire::Status::kRunning) TRY(start_sandbox(client, sandbox.name));
  if (arguments.on("detached")) return run_detached(context, client, arguments, sandbox, std::move(request));
  return run_attached(context, client, arguments, sandbox, std::move(request));
}

}  // namespace sbx::cli::verbs
