// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"
#include "base/home.h"
#include "cli/commands/verbs.h"
#include "cli/mcp/server.h"
#include "cli/views/output.h"
#include "cli/words/mcp_client.h"
#include "cli/words/policy_text.h"

namespace sbx::cli::verbs {

Result<int> mcp_serve(Context& context, const Arguments& arguments) {
  std::vector<std::string> directories = arguments.list("workspace");
  if (directories.empty()) directories = {"."};
  TRY_ASSIGN(mcp::Scope scope, mcp::Scope::of(directories));
  std::vector<policy::Edit> edits = edits_from(arguments);
  if (edits.empty()) edits = {{"preset", "agent"}};
  TRY(policy::edited({}, edits));  // an error now, rather than with the first sandbox
  TRY_ASSIGN(Client client, context.client());
  mcp::Session session{.client = std::move(client), .scope = std::move(scope), .policy = std::move(edits)};
  mcp::Server server(session, context.streams.in, context.streams.out);
  TRY(server.serve());
  return 0;
}

Result<int> mcp_install(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const McpClient client, mcp_client(arguments.operands().front()));
  TRY_ASSIGN(const std::string program, own_program("sandbox"));
  std::vector<std::string> command{program, "mcp"};
  const auto& options = arguments.rest();
  command.insert(command.end(), options.begin(), options.end());
  TRY_ASSIGN(const McpInstallation made, installation_for(client, command));
  if (arguments.on("print")) {
    print(sbx::format("{}:\n{}\n", made.file, made.entry));
    return 0;
  }
  TRY(write_installation(made));
  print(sbx::format("{} {} {}\n", styled(context.streams.out, Style::kGood, "✓"),
                    made.is_there ? "It is already in" : "Added the MCP server sandbox to", made.file));
  return 0;
}

}  // namespace sbx::cli::verbs
