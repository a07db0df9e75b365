// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/tools.h"

#include <algorithm>

#include "cli/client/remote.h"

namespace sbx::cli::mcp {

const std::vector<Tool>& tools() {
  static const std::vector<Tool> all = [] {
    std::vector<Tool> joined;
    for (const auto part : {sandbox_tools(), exec_tools(), file_tools(), network_tools()})
      joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}

const Tool* find_tool(std::string_view name) {
  const auto found = std::ranges::find(tools(), name, &Tool::name);
  return found == tools().end() ? nullptr : &*found;
}

Json listed(const Tool& tool) {
  Json schema = tool.schema();
  schema["additionalProperties"] = false;
  for (auto& [name, property] : schema["properties"].items())
    if (const auto note = std::ranges::find(tool.notes, name, &ArgumentNote::name); note != tool.notes.end())
      property["description"] = note->text;
  return {{"name", tool.name},
          {"title", tool.title},
          {"description", tool.description},
          {"inputSchema", std::move(schema)},
          {"annotations",
           {{"title", tool.title},
            {"readOnlyHint", tool.reads_only},
            {"destructiveHint", tool.destroys},
            {"openWorldHint", false}}}};
}

Result<wire::SandboxInfo> allowed_sandbox(const Call& call, const std::string& name) {
  TRY_ASSIGN(wire::SandboxInfo sandbox, get_sandbox(call.session.client, name));
  TRY(call.session.scope.check(sandbox));
  return sandbox;
}

}  // namespace sbx::cli::mcp
