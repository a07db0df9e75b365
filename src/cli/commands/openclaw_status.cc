// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "base/format.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/openclaw/configuration.h"
#include "cli/openclaw/session_log.h"
#include "cli/openclaw/session_request.h"
#include "cli/openclaw/session_sandbox.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/terminal_text.h"
#include "cli/views/output.h"
#include "cli/views/session_policy.h"

namespace sbx::cli::verbs {
namespace {

using openclaw::Session;

Json session_row(const wire::SandboxInfo& sandbox) {
  return {{"session", label_of(sandbox, kScopeLabel)},
          {"sandbox", sandbox.name},
          {"status", word_of(sandbox.status)},
          {"isolation", word_of(sandbox.isolation)},
          {"image", sandbox.template_name},
          {"created", sandbox.created_at},
          {"used", sandbox.used_at}};
}

// KEY, or as OpenClaw's own programs have it: --session KEY.
Result<std::string> key_from(const Arguments& arguments, const std::string& otherwise) {
  if (arguments.given("session") && !arguments.operands().empty())
    return fail(Code::kInvalid, "KEY and --session exclude each other");
  if (arguments.given("session")) return arguments.text("session");
  return arguments.operands().empty() ? otherwise : arguments.operands().front();
}

struct NamedSession {
  Session session;
  std::string scope_key;  // what its sandbox belongs to
};

// As the configuration has it; without one, by the usual names.
Result<NamedSession> session_called(const Client& client, const Arguments& arguments, const std::string& key) {
  const auto configuration = load_openclaw_configuration(client, arguments);
  if (!configuration && configuration.error().code() == Code::kNotFound && !arguments.given("config")) {
    TRY_ASSIGN(const Session session, openclaw::parse_session(key, {}));
    return NamedSession{session, session.key};
  }
  if (!configuration) return fail(Error(configuration.error()));
  TRY_ASSIGN(const Session session, configuration->session(key));
  TRY_ASSIGN(const openclaw::Settings settings, configuration->settings(session));
  return NamedSession{session, openclaw::scope_key(session, settings.scope)};
}

Result<> remove_sessions(const Client& client, const std::function<bool(const wire::SandboxInfo&)>& is_meant) {
  TRY_ASSIGN(const auto sandboxes, session_sandboxes(client));
  for (const wire::SandboxInfo& sandbox : sandboxes) {
    if (!is_meant(sandbox)) continue;
    TRY(remove_session_sandbox(client, sandbox.name));
    print(sandbox.name + "\n");
  }
  return Ok{};
}

std::string last_lines(const std::string& text, std::int64_t lines) {
  std::size_t begin = text.size() - (text.ends_with('\n') ? 1 : 0);
  for (; lines > 0 && begin != std::string::npos && begin > 0; --lines) begin = text.rfind('\n', begin - 1);
  return begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
}

}  // namespace

Result<int> openclaw_status(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto sandboxes, session_sandboxes(client));
  Json rows = Json::array();
  for (const wire::SandboxInfo& sandbox : sandboxes) rows.push_back(session_row(sandbox));
  if (arguments.on("json")) {
    print_json({{"sessions", rows}});
    return 0;
  }
  std::vector<std::vector<std::string>> table{{"SESSION", "STATUS", "SANDBOX", "ISOLATION", "CREATED", "LAST USED"}};
  for (const Json& row : rows) {
    std::vector<std::string> cells;
    for (const char* key : {"session", "status", "sandbox", "isolation", "created", "used"})
      cells.push_back(row[key].get<std::string>());
    table.push_back(std::move(cells));
  }
  print(columns(table));
  return 0;
}

Result<int> openclaw_cleanup(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const std::string home, sessions_home());
  if (!arguments.given("session")) {
    TRY(remove_sessions(client, [](const auto&) { return true; }));
    TRY(SessionLog::remove_all(home));
    return 0;
  }
  TRY_ASSIGN(const NamedSession named, session_called(client, arguments, arguments.text("session")));
  TRY(remove_sessions(client, [&](const auto& sandbox) { return label_of(sandbox, kScopeLabel) == named.scope_key; }));
  TRY(SessionLog::remove(home, named.session.key));
  return 0;
}

Result<int> openclaw_logs(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const NamedSession named, session_called(client, arguments, arguments.operands().front()));
  TRY_ASSIGN(const std::string home, sessions_home());
  TRY_ASSIGN(std::string text, SessionLog::read(home, named.session.key));
  if (arguments.given("tail")) {
    const auto lines = parse_integer(arguments.text("tail"));
    if (!lines || *lines < 0) return fail(Code::kInvalid, "--tail: must be a number of lines");
    text = *lines == 0 ? "" : last_lines(text, *lines);
  }
  TerminalText shown;
  const bool is_shown = is_terminal(context.streams.out);
  TRY(write_all(context.streams.out, is_shown ? shown.shown(text) + shown.rest() : text));
  return 0;
}

Result<int> openclaw_explain(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const OpenclawConfiguration configuration, load_openclaw_configuration(client, arguments));
  TRY_ASSIGN(const std::string key, key_from(arguments, "main"));
  TRY_ASSIGN(const Session session, configuration.session(key));
  TRY_ASSIGN(const openclaw::Settings settings, configuration.settings(session));
  const std::string tool = arguments.text("tool");
  const Json policy = session_policy_json(session, settings, openclaw::decide(settings, session, tool), tool);
  if (arguments.on("json"))
    print_json(policy);
  else
    print(session_policy_text(policy));
  return 0;
}

}  // namespace sbx::cli::verbs
