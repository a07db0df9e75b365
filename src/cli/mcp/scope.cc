// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/scope.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"

namespace sbx::cli::mcp {

Result<Scope> Scope::of(const std::vector<std::string>& directories) {
  std::vector<std::string> all;
  for (const std::string& directory : directories) {
    TRY_ASSIGN(std::string path, canonical_path(directory));
    all.push_back(std::move(path));
  }
  if (all.empty()) return fail(Code::kInvalid, "no directory is named");
  return Scope(std::move(all));
}

bool Scope::contains(const std::string& path) const {
  return std::ranges::any_of(directories_, [&](const std::string& directory) {
    return directory == "/" || path == directory || path.starts_with(directory + "/");
  });
}

Result<std::string> Scope::directory(const std::string& path) const {
  const std::string whole = path.starts_with('/') ? path : directories_.front() + "/" + path;
  TRY_ASSIGN(std::string canonical, canonical_path(whole));
  if (contains(canonical)) return canonical;
  return fail(Code::kForbidden, printable(path) + ": this server may use only " + join(directories_, ", "),
              "sandbox mcp --workspace DIR");
}

Result<> Scope::check(const wire::SandboxInfo& sandbox) const {
  if (sandbox.workspaces.empty() || !sandbox.mcp_command.empty())
    return fail(Code::kForbidden, "sandbox " + sandbox.name +
                                      " is an MCP server's, or has no workspace; this server may use only sandboxes "
                                      "that work in " +
                                      join(directories_, ", "));
  for (const auto* mounts : {&sandbox.workspaces, &sandbox.mounts})
    for (const wire::Mount& mount : *mounts)
      if (!contains(mount.source))
        return fail(Code::kForbidden,
                    "sandbox " + sandbox.name + " has " + printable(mount.source) + ", and this server may use only " +
                        join(directories_, ", "),
                    "sandbox mcp --workspace DIR");
  return Ok{};
}

}  // namespace sbx::cli::mcp
