// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "base/format.h"
#include "base/value.h"
#include "cli/client/agent_config.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"
#include "cli/words/agent_name.h"
#include "cli/words/creation.h"

namespace sbx::cli::verbs {
namespace {

constexpr std::string_view kUsualAgent = "shell";
constexpr std::chrono::seconds kStopGrace{2};

// `create --name box DIR` means the usual agent; a word that is neither an agent nor a path is a misspelt agent.
bool is_path(const std::string& operand) { return operand.find('/') != std::string::npos || exists(operand); }

Result<wire::CreateRequest> create_request_of(const Context& context, const Arguments& arguments) {
  std::span<const std::string> operands = arguments.operands();
  std::string agent(kUsualAgent);
  TRY_ASSIGN(const agents::Catalogue agents, known_agents());
  if (!operands.empty() && agents.find(operands[0]) != nullptr) {
    agent = operands[0];
    operands = operands.subspan(1);
  } else if (!operands.empty() && !is_path(operands[0])) {
    if (!arguments.given("template")) return fail(unknown_agent(operands[0]));
    agent = operands[0];  // a program that the user's image has
    operands = operands.subspan(1);
  }
  return create_request(context, arguments, std::move(agent), operands);
}

}  // namespace

Result<int> create(Context& context, const Arguments& arguments) {
  const bool json = arguments.on("json");
  const bool quiet = arguments.on("quiet") || json;
  TRY_ASSIGN(const wire::CreateRequest request, create_request_of(context, arguments));
  if (arguments.on("agent-config")) TRY(check_agent_config(request.agent));
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const wire::SandboxInfo made, create_with_progress(context, client, request, quiet));
  if (arguments.on("agent-config")) {
    TRY(bring_agent_config(context, client, made, quiet));
    TRY(stop_sandbox(client, made.name, kStopGrace));
  }
  if (json) {
    print_json(json_of(made));
    return 0;
  }
  if (quiet) {
    print(made.name + "\n");
    return 0;
  }
  print(sbx::format("{} Created sandbox {}\n", styled(context.streams.out, Style::kGood, "✓"), made.name));
  print(sbx::format("  To connect: {} run {}\n", context.program, made.name));
  if (!made.note.empty()) note_lines(context.as_typed(made.note));
  return 0;
}

}  // namespace sbx::cli::verbs
