// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/openclaw/configuration.h"

#include <cstdlib>

#include "base/found_path.h"
#include "base/home.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "openclaw/json5.h"

namespace sbx::cli {
namespace {

std::string path_from(const Arguments& arguments, const std::string& home) {
  if (arguments.given("config")) return arguments.text("config");
  const char* chosen = std::getenv("OPENCLAW_CONFIG_PATH");
  return chosen != nullptr && *chosen != 0 ? chosen : home + "/.openclaw/openclaw.json";
}

Result<std::string> trusted_text(const Client& client, const std::string& path) {
  TRY_ASSIGN(const SharedDirectories shared, shared_directories(client));
  TRY_ASSIGN(const FoundPath found, find_path(path, LastLink::kFollowed, shared));
  if (found.directory) {
    TRY_ASSIGN(const std::string sandbox, shared.sandbox_around(found.directory));
    if (!sandbox.empty())
      return fail(Code::kForbidden, "sandbox " + sandbox + " can write to it, and would decide what runs on this host",
                  "keep it outside of workspaces and mounts");
  }
  TRY_ASSIGN(const Fd file, open_to_read(path, shared));
  return read_all(file, openclaw::kLargestJson5 + 1);
}

}  // namespace

Result<openclaw::Settings> OpenclawConfiguration::settings(const openclaw::Session& session) const {
  auto read = openclaw::read_settings(document, session.agent, home);
  if (!read) return fail(std::move(read).error().within(path));
  return read;
}

Result<openclaw::Prune> OpenclawConfiguration::prune_of(const std::string& scope_key) const {
  TRY_ASSIGN(const openclaw::Settings of_agent,
             openclaw::read_settings(document, openclaw::agent_of_scope(scope_key, keys), home));
  return of_agent.prune;
}

Result<OpenclawConfiguration> load_openclaw_configuration(const Client& client, const Arguments& arguments) {
  OpenclawConfiguration configuration;
  TRY_ASSIGN(configuration.home, user_home());
  configuration.path = path_from(arguments, configuration.home);
  const std::string within = "configuration " + printable(configuration.path);
  const auto text = trusted_text(client, configuration.path);
  if (!text) return fail(Error(text.error()).within(within));
  auto document = openclaw::parse_json5(*text);
  if (!document) return fail(std::move(document).error().within(within));
  configuration.document = std::move(*document);
  auto keys = openclaw::read_key_rules(configuration.document);
  if (!keys) return fail(std::move(keys).error().within(within));
  configuration.keys = std::move(*keys);
  configuration.path = printable(configuration.path);
  return configuration;
}

}  // namespace sbx::cli
