// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agents/catalogue.h"
#include "base/clock.h"
#include "base/result.h"
#include "config/config.h"
#include "images/templates.h"
#include "policy/rules.h"
#include "sandboxes/backend_table.h"
#include "secrets/daemon_environment.h"
#include "secrets/token_refresher.h"
#include "store/store.h"

namespace sbx::sandboxes {

// What the daemon's wiring hands in.
struct Parts {
  store::Store store;
  std::function<Result<images::Template>(const images::TemplateRequest& request, const images::Progress&)> templates;
  BackendTable::Factory backends;
  std::vector<std::string> backend_names;  // of all that `backends` makes
  std::function<Result<config::Config>()> config;
  std::function<Result<policy::Rules>()> rules;  // the network policy of new sandboxes
  std::function<WallTime()> clock;
  std::string shim_program;
  std::string init_program;
  bool privileged = false;  // as root, every sandbox gets a range of ids of its own
  // Where `templates` has them, for what is done with templates themselves. Outlives all that has these parts.
  images::Templates* template_store = nullptr;
  // The agents that there are; the user's own may change at any time.
  std::function<Result<agents::Catalogue>()> agents = [] { return Result<agents::Catalogue>(agents::Catalogue()); };
  secrets::EnvironmentSecrets environment_secrets{};
  secrets::TokenRefresher::Ask token_endpoints = secrets::request_tokens;  // what gets logins their next tokens
};

}  // namespace sbx::sandboxes
