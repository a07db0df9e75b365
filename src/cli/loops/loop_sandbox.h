// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/client/client.h"
#include "cli/client/steps.h"
#include "wire/sandbox.h"

// The sandboxes of loops: one for each tool, by a name that other programs know, too.
namespace sbx::cli {

inline constexpr const char* kLoopLabel = "sandbox.loop";

std::string loop_sandbox_name(const std::string& id, const std::string& tool);  // loop-<id>-<tool>

struct LoopSandboxWish {
  std::string id;
  std::string tool;
  std::string workspace;                 // absolute
  std::string template_name;             // empty: the tool's
  std::vector<wire::PolicyEdit> policy;  // empty: the user's own default
  std::vector<std::pair<std::string, std::string>> environment;
};

// One that runs, with its policy in place before its first program.
Result<wire::SandboxInfo> ready_loop_sandbox(const Client& client, const LoopSandboxWish& wish, const OnStep& on_step);

// All of a loop, those that were half made, too.
Result<std::vector<std::string>> loop_sandboxes(const Client& client, const std::string& id);

}  // namespace sbx::cli
