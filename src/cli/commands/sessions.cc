// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"
#include "cli/views/session_listing.h"
#include "cli/words/session_choice.h"

namespace sbx::cli::verbs {
namespace {

Result<> add_sessions(const Client& client, const std::string& sandbox, std::vector<SandboxSession>& to) {
  TRY_ASSIGN(auto sessions, list_sessions(client, sandbox));
  for (auto& session : sessions) to.push_back({sandbox, std::move(session)});
  return Ok{};
}

// One that cannot tell does not hide the others.
Result<std::vector<SandboxSession>> all_sessions(const Context& context, const Client& client) {
  std::vector<SandboxSession> all;
  TRY_ASSIGN(const auto sandboxes, list_sandboxes(client));
  for (const wire::SandboxInfo& sandbox : sandboxes) {
    if (sandbox.status != wire::Status::kRunning) continue;
    const auto added = add_sessions(client, sandbox.name, all);
    if (!added && added.error().code() != Code::kNotFound) context.print_error(added.error());
  }
  return all;
}

}  // namespace

Result<int> sessions(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  std::vector<SandboxSession> list;
  if (arguments.operands().empty()) {
    TRY_ASSIGN(list, all_sessions(context, client));
  } else {
    TRY(add_sessions(client, arguments.operands().front(), list));
  }
  if (arguments.on("json")) {
    Json fields = Json::array();
    for (const SandboxSession& session : list) fields.push_back(session_fields(session));
    print_json({{"sessions", fields}});
  } else {
    print(session_table(list, now(), arguments.on("no-trunc")));
  }
  return 0;
}

Result<int> sessions_kill(Context& context, const Arguments& arguments) {
  const std::string& sandbox = arguments.operands()[0];
  TRY_ASSIGN(const auto number, parse_session(arguments.operands()[1]));
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const wire::SessionInfo ended, end_session(client, sandbox, number));
  print(sbx::format("{}\n", ended.session));
  return 0;
}

}  // namespace sbx::cli::verbs
