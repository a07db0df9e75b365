// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/mcp/tools.h"

namespace sbx::cli::mcp {
namespace {

constexpr std::chrono::seconds kGrace{2};

struct Create {
  std::string agent = "shell";
  std::string workspace = ".";
  bool readonly = false;
  std::string template_name;
  std::string name;
  std::string ttl;
  std::string memory;
  double cpus = 0;
};
void describe(Members& members, Create& create) {
  members.optional("agent", create.agent);
  members.optional("workspace", create.workspace);
  members.optional("readonly", create.readonly);
  members.optional("template", create.template_name);
  members.optional("name", create.name);
  members.optional("ttl", create.ttl);
  members.optional("memory", create.memory);
  members.optional("cpus", create.cpus);
  members.check(create.cpus >= 0, "\"cpus\" must not be negative");
}
constexpr ArgumentNote kCreateNotes[] = {
    {"agent", "claude, codex, ... or shell: which programs are in it. Default: shell"},
    {"workspace", "Directory of the host that it shares, at the same path. Default: the server's first directory"},
    {"readonly", "The sandbox cannot write to the workspace"},
    {"template", "What it starts from, instead of the agent's template: a name of `sandbox template ls`"},
    {"name", "Default: <agent>-<directory>"},
    {"ttl", "It is removed after this time: 30m, 24h, 7d"},
    {"memory", "At most so much: 512m, 4g"},
    {"cpus", "At most so many processors: 1.5"},
};

struct Named {
  std::string name;
};
void describe(Members& members, Named& named) { members.required("name", named.name); }
constexpr ArgumentNote kNamedNotes[] = {{"name", "Name of the sandbox"}};

struct Nothing {};
void describe(Members&, Nothing&) {}

struct Remove {
  std::string name;
  bool confirm = false;
};
void describe(Members& members, Remove& remove) {
  members.required("name", remove.name);
  members.required("confirm", remove.confirm);
}
constexpr ArgumentNote kRemoveNotes[] = {
    {"name", "Name of the sandbox"},
    {"confirm", "Must be true: everything in the sandbox is lost but its workspace"},
};

Result<wire::CreateRequest> create_request_of(const Call& call, const Create& create) {
  wire::CreateRequest request;
  request.agent = create.agent;
  request.name = create.name;
  request.template_name = create.template_name;
  // SECURITY: a model does not choose what the host fetches, with the user's logins and past every policy.
  if (!create.template_name.empty()) request.pull = wire::Pull::kNever;
  TRY_ASSIGN(const std::string directory, call.session.scope.directory(create.workspace));
  request.workspaces.push_back({directory, directory, create.readonly});
  request.limits.cpus = create.cpus;
  if (!create.memory.empty()) {
    const auto memory = parse_bytes(create.memory);
    if (!memory) return fail(Code::kInvalid, "\"memory\" must be a size such as 512m or 8g");
    request.limits.memory = *memory;
  }
  if (!create.ttl.empty()) {
    const auto ttl = parse_duration(create.ttl);
    if (!ttl || *ttl == 0) return fail(Code::kInvalid, "\"ttl\" must be a time such as 30m, 24h or 7d");
    request.ttl_s = *ttl;
  }
  request.labels = {{"made-by", "mcp"}};
  request.policy = call.session.policy;
  return request;
}

// It may have more than was asked for, the repository of a git worktree: then no program runs in it.
Result<wire::SandboxInfo> start_in_scope(const Call& call, const wire::SandboxInfo& made) {
  TRY(call.session.scope.check(made));
  return start_sandbox(call.session.client, made.name);
}

Result<Json> create(Call& call, const Create& arguments) {
  const Client& client = call.session.client;
  TRY_ASSIGN(const wire::CreateRequest request, create_request_of(call, arguments));
  wire::SandboxInfo made;
  TRY(client.post_for_events({"sandboxes"}, json_of(request), steps_and_value(call.on_step, made)));
  auto started = start_in_scope(call, made);
  if (started) return json_of(*started);
  if (const auto removed = remove_sandbox(client, made.name); !removed)
    return fail(std::move(started).error().within("sandbox " + made.name + " is left behind"));
  return fail(std::move(started).error());
}

Result<Json> list(Call& call, const Nothing&) {
  TRY_ASSIGN(const auto all, list_sandboxes(call.session.client));
  Json sandboxes = Json::array();
  for (const wire::SandboxInfo& sandbox : all) {
    if (!call.session.scope.check(sandbox)) continue;
    sandboxes.push_back({{"name", sandbox.name},
                         {"agent", sandbox.agent},
                         {"status", word_of(sandbox.status)},
                         {"isolation", word_of(sandbox.isolation)},
                         {"workspace", sandbox.workspaces.empty() ? "" : sandbox.workspaces.front().source}});
  }
  return Json{{"sandboxes", std::move(sandboxes)}};
}

Result<Json> inspect(Call& call, const Named& arguments) {
  TRY_ASSIGN(const wire::SandboxInfo sandbox, allowed_sandbox(call, arguments.name));
  return json_of(sandbox);
}

Result<Json> stop(Call& call, const Named& arguments) {
  TRY(allowed_sandbox(call, arguments.name));
  TRY_ASSIGN(const wire::SandboxInfo stopped, stop_sandbox(call.session.client, arguments.name, kGrace));
  return json_of(stopped);
}

Result<Json> remove(Call& call, const Remove& arguments) {
  if (!arguments.confirm) return fail(Code::kInvalid, "\"confirm\" must be true to remove a sandbox");
  TRY(allowed_sandbox(call, arguments.name));
  TRY(remove_sandbox(call.session.client, arguments.name));
  return Json{{"removed", arguments.name}};
}

const Tool kSandboxTools[] = {
    {.name = "sandbox_create",
     .title = "Create sandbox",
     .description =
         "Make and start a sandbox: an isolated machine that shares one directory with the host, at the same "
         "path. Its network is limited to what the user has allowed; see policy_check.",
     .notes = kCreateNotes,
     .schema = schema_of_arguments<Create>,
     .run = run_tool<Create, create>},
    {.name = "sandbox_list",
     .title = "List sandboxes",
     .description = "The sandboxes that this server may use.",
     .notes = {},
     .reads_only = true,
     .schema = schema_of_arguments<Nothing>,
     .run = run_tool<Nothing, list>},
    {.name = "sandbox_inspect",
     .title = "Inspect sandbox",
     .description = "Everything that is known about a sandbox: state, limits, ports, isolation, directories.",
     .notes = kNamedNotes,
     .reads_only = true,
     .schema = schema_of_arguments<Named>,
     .run = run_tool<Named, inspect>},
    {.name = "sandbox_stop",
     .title = "Stop sandbox",
     .description = "End all programs in a sandbox. Its disk stays; the next sandbox_exec starts it again.",
     .notes = kNamedNotes,
     .schema = schema_of_arguments<Named>,
     .run = run_tool<Named, stop>},
    {.name = "sandbox_remove",
     .title = "Remove sandbox",
     .description = "Remove a sandbox and its disk. Its workspace on the host stays.",
     .notes = kRemoveNotes,
     .destroys = true,
     .schema = schema_of_arguments<Remove>,
     .run = run_tool<Remove, remove>},
};

}  // namespace

std::span<const Tool> sandbox_tools() { return kSandboxTools; }

}  // namespace sbx::cli::mcp
