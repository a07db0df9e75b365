// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/terminal_text.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {

Result<int> logs(Context& context, const Arguments& arguments) {
  Client::Query query;
  if (const std::string tail = arguments.text("tail"); arguments.given("tail") && tail != "all") {
    const auto lines = parse_integer(tail);
    if (!lines || *lines < 0) return fail(Code::kInvalid, "--tail " + tail + ": must be a number of lines or all");
    query.emplace_back("tail", tail);
  }
  if (const std::string from = arguments.text("from"); arguments.given("from")) {
    const auto number = parse_integer(from);
    if (!number || *number < 0) return fail(Code::kInvalid, "--from " + from + ": must be a number of bytes");
    if (arguments.given("tail")) return fail(Code::kInvalid, "--from and --tail exclude each other");
    query.emplace_back("from", from);
  }
  if (arguments.on("follow")) query.emplace_back("follow", "1");
  if (arguments.on("console")) query.emplace_back("console", "1");
  const std::string& name = arguments.operands().front();
  if (name.empty()) return fail(Code::kInvalid, "the sandbox's name is empty");
  TRY_ASSIGN(const Client client, context.client());
  const bool is_shown = is_terminal(context.streams.out);
  TerminalText text;
  TRY(client.get_log({"sandboxes", name, "logs"}, query, [&](std::string_view bytes) {
    return write_all(context.streams.out, is_shown ? text.shown(bytes) : std::string(bytes));
  }));
  TRY(write_all(context.streams.out, text.rest()));
  return 0;
}

}  // namespace sbx::cli::verbs
