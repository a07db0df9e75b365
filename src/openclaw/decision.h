// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/choice.h"
#include "base/clock.h"
#include "openclaw/session_key.h"
#include "openclaw/settings.h"
#include "openclaw/tool_policy.h"

namespace sbx::openclaw {

enum class Place { kSandbox, kHost };
constexpr auto choices(Place) {
  return std::to_array<Choice<Place>>({{Place::kSandbox, "sandbox"}, {Place::kHost, "host"}});
}

// Where a command of a session runs, and whether its tool may.
struct Decision {
  Place place = Place::kSandbox;
  std::string why;  // of the place
  ToolVerdict tool;
  std::string scope_key;  // the sandbox's
  std::string sandbox;    // its name
};

Decision decide(const Settings& settings, const Session& session, std::string_view tool);

// Whether a session's sandbox has to go: it is too old, or it is stopped and was not used for too long. One that runs
// is not idle: the daemon stops it when nothing has run in it for that time.
bool is_due(const Prune& prune, WallTime created, WallTime used, bool running, WallTime now);

}  // namespace sbx::openclaw
