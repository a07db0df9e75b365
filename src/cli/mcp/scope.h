// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "wire/sandbox.h"

namespace sbx::cli::mcp {

// Which directories and sandboxes a model may use through the server: directories that the user has named, and
// sandboxes all of whose directories are in these, and that have a workspace: MCP servers have none. Fails closed.
class Scope {
 public:
  static Result<Scope> of(const std::vector<std::string>& directories);  // at least one; they have to be there

  // The canonical path of a directory in the scope; a relative one, from the first of its directories.
  Result<std::string> directory(const std::string& path) const;
  Result<> check(const wire::SandboxInfo& sandbox) const;
  const std::vector<std::string>& directories() const { return directories_; }

 private:
  explicit Scope(std::vector<std::string> directories) : directories_(std::move(directories)) {}
  bool contains(const std::string& path) const;

  std::vector<std::string> directories_;  // canonical
};

}  // namespace sbx::cli::mcp
