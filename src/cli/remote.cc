// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/remote.h"

#include <optional>

namespace sbx::cli {
namespace {

// An empty segment would name the collection, not a member of it.
Result<Client::Path> path_to(const std::string& name, const std::string& action = {}) {
  if (name.empty()) return fail(Code::kInvalid, "the sandbox's name is empty");
  Client::Path path{"sandboxes", name};
  if (!action.empty()) path.push_back(action);
  return path;
}

Result<wire::SandboxInfo> act_on(const Client& client, const std::string& name, const std::string& action) {
  TRY_ASSIGN(const Client::Path path, path_to(name, action));
  TRY_ASSIGN(const Json json, client.post(path, Json::object()));
  return wire::decode_sandbox_info(json);
}

Result<Step> decode_step(const Json& json) {
  Fields fields(json, "progress");
  Step step{fields.text("step", ""), fields.integer("done", 0), fields.integer("total", 0)};
  TRY(fields.finish(/*allow_unknown=*/true));
  return step;
}

}  // namespace

Result<std::vector<wire::SandboxInfo>> list_sandboxes(const Client& client) {
  TRY_ASSIGN(const Json json, client.get({"sandboxes"}));
  Fields fields(json, "list of sandboxes");
  std::vector<wire::SandboxInfo> list;
  for (const Json* item : fields.list("sandboxes")) {
    TRY_ASSIGN(wire::SandboxInfo info, wire::decode_sandbox_info(*item));
    list.push_back(std::move(info));
  }
  TRY(fields.finish(/*allow_unknown=*/true));
  return list;
}

Result<wire::SandboxInfo> get_sandbox(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Client::Path path, path_to(name));
  TRY_ASSIGN(const Json json, client.get(path));
  return wire::decode_sandbox_info(json);
}

Result<wire::SandboxInfo> create_sandbox(const Client& client, const wire::CreateRequest& request,
                                         const OnStep& on_step) {
  std::optional<wire::SandboxInfo> made;
  const auto on_event = [&](const StreamEvent& event) -> Result<> {
    TRY_ASSIGN(const Json json, parse_json(event.data));
    if (event.name == "error") return fail(wire::decode_error(json, 500));
    if (event.name == "progress") {
      TRY_ASSIGN(const Step step, decode_step(json));
      on_step(step);
    }
    if (event.name == "result") {
      TRY_ASSIGN(made, wire::decode_sandbox_info(json));
    }
    return Ok{};
  };
  TRY(client.post_for_events({"sandboxes"}, wire::encode(request), on_event));
  if (!made) return fail(Code::kUnavailable, "the daemon ended before the sandbox was made", "sandbox ls");
  return std::move(*made);
}

Result<wire::SandboxInfo> start_sandbox(const Client& client, const std::string& name) {
  return act_on(client, name, "start");
}

Result<wire::SandboxInfo> stop_sandbox(const Client& client, const std::string& name) {
  return act_on(client, name, "stop");
}

Result<> remove_sandbox(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Client::Path path, path_to(name));
  TRY(client.remove(path));
  return Ok{};
}

Result<Upgraded> open_exec(const Client& client, const std::string& name, const wire::ExecRequest& request) {
  TRY_ASSIGN(const Client::Path path, path_to(name, "exec"));
  return client.upgrade(path, "sandbox-exec", wire::encode(request));
}

Result<wire::ExecExit> exec_detached(const Client& client, const std::string& name, const wire::ExecRequest& request) {
  TRY_ASSIGN(const Client::Path path, path_to(name, "exec"));
  TRY_ASSIGN(const Json json, client.post(path, wire::encode(request)));
  return json.contains("exit") ? wire::decode_exec_exit(json["exit"]) : wire::ExecExit{};
}

}  // namespace sbx::cli
