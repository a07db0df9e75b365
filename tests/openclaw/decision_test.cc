// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/decision.h"

#include <gtest/gtest.h>

namespace sbx::openclaw {
namespace {

using std::chrono::hours;

Place place(Mode mode, const char* key) {
  Settings settings;
  settings.mode = mode;
  settings.mode_given = true;
  return decide(settings, *parse_session(key, {}), "bash").place;
}

TEST(Decision, IsMadeByTheModeAndTheKey) {
  const struct {
    Mode mode;
    const char* key;
    Place place;
  } cases[] = {
      {Mode::kOff, "main", Place::kHost},
      {Mode::kOff, "agent:main:group:1", Place::kHost},
      {Mode::kNonMain, "main", Place::kHost},
      {Mode::kNonMain, "agent:main:main", Place::kHost},
      {Mode::kNonMain, "agent:main:group:1", Place::kSandbox},
      {Mode::kNonMain, "agent:main:main:thread:1", Place::kSandbox},
      {Mode::kNonMain, "MAIN", Place::kSandbox},
      {Mode::kAll, "main", Place::kSandbox},
      {Mode::kAll, "agent:main:group:1", Place::kSandbox},
  };
  for (const auto& c : cases) EXPECT_EQ(place(c.mode, c.key), c.place) << word_of(c.mode) << " " << c.key;
  EXPECT_EQ(decide({}, *parse_session("main", {}), "bash").place, Place::kSandbox);
}

TEST(Decision, NamesASandboxThatTheDaemonTakes) {
  Settings settings;
  settings.name_prefix = "a-prefix-of-twenty--";
  const std::string key = "agent:main:" + std::string(400, '/');
  const Decision decision = decide(settings, *parse_session(key, {}), "bash");
  EXPECT_LE(decision.sandbox.size(), 63u);
  EXPECT_TRUE(decision.sandbox.starts_with(settings.name_prefix));
  EXPECT_NE(decision.sandbox, decide(settings, *parse_session(key + "x", {}), "bash").sandbox);
}

TEST(Prune, RemovesWhatIsOldAndWhatIsStoppedAndIdle) {
  const Prune prune{.idle_hours = 24, .max_age_days = 7};
  const WallTime now = WallTime() + hours(24 * 365);
  EXPECT_FALSE(is_due(prune, now - hours(30), now - hours(1), false, now));
  EXPECT_TRUE(is_due(prune, now - hours(30), now - hours(25), false, now));
  EXPECT_FALSE(is_due(prune, now - hours(30), now - hours(25), true, now));
  EXPECT_TRUE(is_due(prune, now - hours(24 * 8), now, true, now));
  EXPECT_FALSE(is_due({.idle_hours = 0, .max_age_days = 0}, WallTime(), WallTime(), false, now));
}

}  // namespace
}  // namespace sbx::openclaw
