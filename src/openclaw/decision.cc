// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/decision.h"

#include <chrono>

#include "base/format.h"

namespace sbx::openclaw {
namespace {

constexpr std::size_t kLongestSandboxName = 63;

bool is_sandboxed(Mode mode, const Session& session) {
  if (mode == Mode::kOff) return false;
  return mode == Mode::kAll || !session.is_main;
}

std::string reason(const Settings& settings, const Session& session) {
  if (!settings.mode_given) return "the mode is not set, and then all sessions have a sandbox";
  const std::string mode = "the mode is " + std::string(word_of(settings.mode));
  if (settings.mode != Mode::kNonMain) return mode;
  return mode + (session.is_main ? ", and this is the main session" : ", and this is not the main session");
}

bool is_longer(WallTime since, WallTime now, std::chrono::duration<double> limit) {
  return limit.count() > 0 && now - since > limit;
}

}  // namespace

Decision decide(const Settings& settings, const Session& session, std::string_view tool) {
  Decision decision;
  const bool sandboxed = is_sandboxed(settings.mode, session);
  decision.place = sandboxed ? Place::kSandbox : Place::kHost;
  decision.why = reason(settings, session);
  decision.tool = decide_tool(settings.tools, tool, sandboxed);
  decision.scope_key = scope_key(session, settings.scope);
  decision.sandbox =
      settings.name_prefix + slug_of(decision.scope_key, kLongestSandboxName - settings.name_prefix.size());
  return decision;
}

bool is_due(const Prune& prune, WallTime created, WallTime used, bool running, WallTime now) {
  using Hours = std::chrono::duration<double, std::ratio<3600>>;
  if (is_longer(created, now, Hours(prune.max_age_days * 24))) return true;
  return !running && is_longer(used, now, Hours(prune.idle_hours));
}

}  // namespace sbx::openclaw
