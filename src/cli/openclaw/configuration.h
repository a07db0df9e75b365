// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/flags.h"
#include "base/json.h"
#include "base/result.h"
#include "cli/context.h"
#include "openclaw/dialect.h"

namespace sbx::cli {

// The configuration of OpenClaw on this host.
struct OpenclawConfiguration {
  std::string path;
  std::string home;  // what ~ stands for in it
  Json document;
  openclaw::KeyRules keys;

  Result<openclaw::Session> session(const std::string& key) const { return openclaw::parse_session(key, keys); }
  Result<openclaw::Settings> settings(const openclaw::Session& session) const;
  // When the sandbox of a scope is removed: by its own agent's settings, also if another agent asks.
  Result<openclaw::Prune> prune_of(const std::string& scope_key) const;
};

// Of --config, else of $OPENCLAW_CONFIG_PATH, else ~/.openclaw/openclaw.json.
//
// SECURITY: it decides what runs on the host, so it is not read from a directory that a sandbox can write to. One that
// is not there is an error: OpenClaw would run everything on the host then.
Result<OpenclawConfiguration> load_openclaw_configuration(const Client& client, const Arguments& arguments);

}  // namespace sbx::cli
