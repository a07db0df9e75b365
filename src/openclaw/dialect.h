// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "base/result.h"
#include "openclaw/settings.h"

// The configuration of OpenClaw, as far as it is about sandboxes: agents.defaults.sandbox, the same of an agent, and
// the lists of tools. Pure: no file is looked at.
namespace sbx::openclaw {

// session.mainKey, session.scope and the agent that is the default one.
Result<KeyRules> read_key_rules(const Json& document);

// For the sessions of one agent. `home` is what ~ stands for.
Result<Settings> read_settings(const Json& document, const std::string& agent, const std::string& home);

}  // namespace sbx::openclaw
