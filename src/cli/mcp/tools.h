// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "cli/client/client.h"
#include "cli/client/steps.h"
#include "cli/mcp/exec_jobs.h"
#include "cli/mcp/scope.h"
#include "policy/edits.h"

namespace sbx::cli::mcp {

// What all calls of one connection share.
struct Session {
  Client client;
  Scope scope;
  std::vector<policy::Edit> policy;  // of sandboxes that are made
  ExecJobs jobs = {};
};

enum class Consent { kGiven, kRefused, kCannotAsk };

// One call of a tool, on a thread of its own.
struct Call {
  Session& session;
  std::stop_token stop;  // the client has cancelled it, or has gone
  OnStep on_step;
  std::function<Consent(const std::string& question)> ask_user;
};

struct ArgumentNote {
  std::string_view name;
  std::string_view text;
};

// One tool. Its schema and the reading of its arguments come from the description of their struct.
struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::span<const ArgumentNote> notes;  // may have more than it needs
  bool reads_only = false;
  bool destroys = false;
  Json (*schema)() = nullptr;
  Result<Json> (*run)(Call& call, const Json& arguments) = nullptr;
};

template <Described Arguments, Result<Json> (*kRun)(Call&, const Arguments&)>
Result<Json> run_tool(Call& call, const Json& json) {
  TRY_ASSIGN(const Arguments arguments, value_of<Arguments>(json, "arguments"));
  return kRun(call, arguments);
}

template <Described Arguments>
Json schema_of_arguments() {
  return schema_of<Arguments>();
}

// The tables of the files tools_*.cc.
std::span<const Tool> sandbox_tools();
std::span<const Tool> exec_tools();
std::span<const Tool> file_tools();
std::span<const Tool> network_tools();

const std::vector<Tool>& tools();  // all of them
const Tool* find_tool(std::string_view name);
// As tools/list shows it.
Json listed(const Tool& tool);

// The sandbox, if it is in the scope.
Result<wire::SandboxInfo> allowed_sandbox(const Call& call, const std::string& name);

}  // namespace sbx::cli::mcp
