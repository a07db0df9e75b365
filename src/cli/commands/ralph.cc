// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/agent_line.h"
#include "agentloop/ralph_agents.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/loops/loop_wish.h"
#include "cli/views/output.h"
#include "cli/views/progress.h"
#include "cli/words/agent_name.h"
#include "cli/words/environment.h"
#include "cli/words/workspace.h"
#include "wire/guest.h"

namespace sbx::cli::verbs {
namespace {

constexpr const char* kSprintFile = ".ralph/iterate.md";
constexpr const char* kSprintPromise = "ALL_TASKS_COMPLETE";  // what that file tells its agent to say
constexpr const char* kTaskFiles[] = {kSprintFile, "PROMPT.md", "prompt.md"};
constexpr std::string_view kRalphTemplate = "ralph";

struct RalphWish {
  std::string directory;
  std::string task;  // a file in it
  std::string iterations = "30";
  std::string agent = "claude-code";
  std::string name;
  std::vector<std::string> words;  // more for ralph itself
};

Result<RalphWish> ralph_wish(const Arguments& arguments) {
  const auto& operands = arguments.operands();
  RalphWish wish;
  if (operands.size() > 3)
    return fail(Code::kInvalid, "ralph accepts at most 3 arguments before --", "sandbox ralph --help");
  TRY_ASSIGN(const wire::Mount workspace, parse_workspace(operands.empty() ? "." : operands[0]));
  if (workspace.readonly) return fail(Code::kInvalid, "ralph writes to its directory");
  wish.directory = workspace.source;
  if (operands.size() > 1) wish.iterations = operands[1];
  if (operands.size() > 2) wish.agent = operands[2];
  const auto count = parse_integer(wish.iterations);
  if (!count || *count < 1)
    return fail(Code::kInvalid, printable(wish.iterations) + ": must be a number of iterations");
  if (!agentloop::is_ralph_agent(wish.agent))
    return fail(Code::kInvalid, sbx::format("ralph cannot ask {}", printable(wish.agent)),
                "one of " + std::string(agentloop::kRalphAgents));
  for (const char* file : kTaskFiles)
    if (wish.task.empty() && exists(wish.directory + "/" + file)) wish.task = file;
  if (wish.task.empty())
    return fail(Code::kInvalid, "what is the task? There is none of " +
                                    join(std::vector<std::string>(std::begin(kTaskFiles), std::end(kTaskFiles)), ", "));
  wish.name = sbx::format("ralph-{}-{}", name_stem(wish.directory), microseconds_of(now()) / 1'000'000);
  wish.words = arguments.rest();
  return wish;
}

Result<wire::SandboxInfo> make_sandbox(const Context& context, const Client& client, const Arguments& arguments,
                                       const RalphWish& wish) {
  wire::CreateRequest request;
  request.agent = agentloop::agent_called(wish.agent);
  TRY_ASSIGN(const auto agents, known_agents());
  if (agents.find(request.agent) == nullptr) return fail(unknown_agent(request.agent));
  request.name = wish.name;
  request.workspaces.push_back({.source = wish.directory, .target = wish.directory});
  request.template_name = arguments.text("template");
  if (request.template_name.empty() && request.agent == "claude") request.template_name = kRalphTemplate;
  TRY_ASSIGN(request.environment, environment_from(context, arguments));
  request.policy = loop_policy(arguments);
  Progress progress(context.streams.err, false);
  return create_sandbox(client, request, [&](const Step& step) { progress.show(step); });
}

Result<> start_ralph(const Client& client, const RalphWish& wish) {
  wire::ExecRequest request;
  request.command = {std::string(wire::kRalph), "--file",       wish.task, "--agent", wish.agent,
                     "--max-iterations",        wish.iterations};
  if (wish.task == kSprintFile) request.command.insert(request.command.end(), {"--completion-promise", kSprintPromise});
  if (exists(wish.directory + "/.ralph/ralph-tasks.md")) request.command.emplace_back("--tasks");
  request.command.insert(request.command.end(), wish.words.begin(), wish.words.end());
  request.detach = true;
  TRY_ASSIGN(const wire::ExecExit exit, exec_detached(client, wish.name, request));
  if (exit.code != 0) return fail(Code::kInternal, "ralph does not start: " + exit.error);
  return Ok{};
}

void print_monitoring(const Context& context, const std::string& name) {
  print(
      sbx::format("Ralph works in the sandbox {0}. To watch it:\n"
                  "  {1} logs -f {0}\n"
                  "  {1} exec {0} ralph --status\n"
                  "  {1} exec {0} ralph --status --tasks\n"
                  "  {1} exec {0} ralph --add-context \"Focus on the auth module\"\n"
                  "  {1} exec -it {0} bash\n"
                  "  {1} network log {0}\n"
                  "  {1} rm {0}\n",
                  name, context.program));
}

}  // namespace

// The five steps of the script that this stands for: template, policy, sandbox, loop, what to watch.
Result<int> ralph(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const RalphWish wish, ralph_wish(arguments));
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const wire::SandboxInfo made, make_sandbox(context, client, arguments, wish));
  if (const auto started = start_ralph(client, wish); !started)
    return fail(Error(started.error())
                    .within("start ralph in the sandbox " + made.name + ", which is left")
                    .with_hint("sandbox rm " + made.name));
  print_monitoring(context, made.name);
  return 0;
}

}  // namespace sbx::cli::verbs
