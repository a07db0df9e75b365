// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/grammar/completion.h"

#include "cli/client/remote.h"
#include "cli/client/secrets.h"
#include "cli/client/templates.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"
#include "cli/views/session_listing.h"

namespace sbx::cli::verbs {

Result<int> completion(Context&, const Arguments& arguments) {
  TRY_ASSIGN(const std::string script, completion_script(arguments.operands().front()));
  print(script);
  return 0;
}

Result<int> complete(Context& context, const Arguments& arguments) {
  // A tab must not start a daemon.
  const auto names = [&context]() -> std::vector<std::string> {
    std::vector<std::string> found;
    const auto client = context.client_of_running_daemon();
    if (!client) return found;
    const auto sandboxes = list_sandboxes(*client);
    if (!sandboxes) return found;
    for (const auto& sandbox : *sandboxes) found.push_back(sandbox.name);
    return found;
  };
  const auto sessions = [&context](const std::string& sandbox) -> std::vector<Candidate> {
    std::vector<Candidate> found;
    const auto client = context.client_of_running_daemon();
    if (!client) return found;
    const auto list = list_sessions(*client, sandbox);
    if (!list) return found;
    for (const auto& session : *list) found.push_back({std::to_string(session.session), command_text(session)});
    return found;
  };
  const auto templates = [&context]() -> std::vector<std::string> {
    std::vector<std::string> found;
    const auto client = context.client_of_running_daemon();
    if (!client) return found;
    const auto list = list_templates(*client);
    if (!list) return found;
    for (const auto& details : *list) found.insert(found.end(), details.names.begin(), details.names.end());
    return found;
  };
  const auto secrets = [&context]() -> std::vector<std::string> {
    std::vector<std::string> found;
    const auto client = context.client_of_running_daemon();
    if (!client) return found;
    const auto list = list_secrets(*client);
    if (!list) return found;
    for (const auto& secret : list->secrets) found.push_back(secret.name);
    return found;
  };
  // docker says which plugin it asks for.
  std::span<const std::string> words = arguments.operands();
  if (context.program != "sandbox" && !words.empty() && words[0] == "sandbox") words = words.subspan(1);
  print(render(cli::complete(words, {names, sessions, templates, secrets})));
  return 0;
}

}  // namespace sbx::cli::verbs
