// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/loops/loop_sandbox.h"

#include <algorithm>

#include "cli/client/remote.h"

namespace sbx::cli {
namespace {

// Nothing runs in it for so long: it is not thrown away, but it need not take memory.
constexpr std::int64_t kIdleSeconds = 60 * 60;

wire::CreateRequest create_request_for(const LoopSandboxWish& wish) {
  wire::CreateRequest request;
  request.agent = wish.tool;
  request.name = loop_sandbox_name(wish.id, wish.tool);
  request.template_name = wish.template_name;
  request.workspaces.push_back({.source = wish.workspace, .target = wish.workspace});
  request.labels = {{kLoopLabel, wish.id}};
  request.environment = wish.environment;
  request.idle_stop_s = kIdleSeconds;
  request.policy = wish.policy;
  request.reuse = request.start = true;
  return request;
}

bool is_of_loop(const wire::SandboxInfo& sandbox, const std::string& id) {
  return std::ranges::any_of(sandbox.labels,
                             [&](const auto& label) { return label.first == kLoopLabel && label.second == id; });
}

}  // namespace

std::string loop_sandbox_name(const std::string& id, const std::string& tool) { return "loop-" + id + "-" + tool; }

Result<wire::SandboxInfo> ready_loop_sandbox(const Client& client, const LoopSandboxWish& wish, const OnStep& on_step) {
  return create_sandbox(client, create_request_for(wish), on_step);
}

Result<std::vector<std::string>> loop_sandboxes(const Client& client, const std::string& id) {
  TRY_ASSIGN(const auto sandboxes, list_sandboxes(client));
  std::vector<std::string> names;
  for (const wire::SandboxInfo& sandbox : sandboxes)
    if (is_of_loop(sandbox, id)) names.push_back(sandbox.name);
  return names;
}

}  // namespace sbx::cli
