// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/rules.h"

#include <gtest/gtest.h>

namespace sbx::agentloop {
namespace {

State after(std::initializer_list<std::int64_t> changed) {
  State state;
  for (const std::int64_t files : changed) {
    Iteration iteration;
    iteration.number = state.next();
    iteration.changed = files;
    state.iterations.push_back(iteration);
  }
  return state;
}

std::optional<Outcome> limit(const Settings& settings, const State& state) {
  const auto stop = limit_reached(settings, state);
  return stop ? std::optional(stop->outcome) : std::nullopt;
}

std::optional<Outcome> ended(const Settings& settings, const Evidence& evidence, std::int64_t iteration = 1) {
  const auto stop = end_of_task(settings, evidence, iteration);
  return stop ? std::optional(stop->outcome) : std::nullopt;
}

TEST(Rules, EndALoopAtItsNumberOfIterations) {
  Settings settings;
  settings.most = 2;
  EXPECT_FALSE(limit(settings, after({1})));
  EXPECT_EQ(limit(settings, after({1, 1})), Outcome::kMost);
  settings.most = 0;
  EXPECT_FALSE(limit(settings, after({1, 1})));
}

TEST(Rules, EndALoopAtItsBudget) {
  Settings settings;
  State state = after({1});
  state.elapsed_ms = settings.budget_s * 1000 - 1;
  EXPECT_FALSE(limit(settings, state));
  ++state.elapsed_ms;
  EXPECT_EQ(limit(settings, state), Outcome::kBudget);
}

TEST(Rules, EndALoopAfterThreeIterationsWithoutAChange) {
  Settings settings;
  EXPECT_FALSE(limit(settings, after({0, 0})));
  EXPECT_FALSE(limit(settings, after({0, 0, 1})));
  EXPECT_FALSE(limit(settings, after({-1, 0, 0})));  // of one nothing is known
  EXPECT_EQ(limit(settings, after({1, 0, 0, 0})), Outcome::kStuck);
  State resumed = after({0, 0, 0});
  resumed.stuck_from = 3;
  EXPECT_FALSE(limit(settings, resumed));
  settings.stops_when_stuck = false;
  EXPECT_FALSE(limit(settings, after({0, 0, 0})));
}

TEST(Rules, LetTheCommandBeatThePromise) {
  Settings settings;
  settings.promise = "DONE";
  settings.until_command = "make test";
  EXPECT_FALSE(ended(settings, {.promised = true, .until_code = 1}));
  EXPECT_FALSE(ended(settings, {.promised = true}));
  EXPECT_EQ(ended(settings, {.until_code = 0}), Outcome::kComplete);
}

TEST(Rules, WaitForThePromiseWithoutACommand) {
  Settings settings;
  settings.promise = "DONE";
  EXPECT_FALSE(ended(settings, {}));
  EXPECT_EQ(ended(settings, {.promised = true}), Outcome::kComplete);
  settings.least = 2;
  EXPECT_FALSE(ended(settings, {.promised = true}, 1));
  EXPECT_TRUE(ended(settings, {.promised = true}, 2));
}

TEST(Rules, IgnoreAPromiseWhileTheListIsNotDone) {
  Settings settings;
  settings.promise = "DONE";
  settings.tasks = "tasks.md";
  EXPECT_FALSE(ended(settings, {.promised = true, .has_list = true}));
  EXPECT_FALSE(ended(settings, {.has_list = true, .list_done = true}));
  EXPECT_TRUE(ended(settings, {.promised = true, .has_list = true, .list_done = true}));
  settings.promise.clear();
  EXPECT_TRUE(ended(settings, {.has_list = true, .list_done = true}));
  settings.until_command = "make test";
  EXPECT_FALSE(ended(settings, {.until_code = 1, .has_list = true, .list_done = true}));
}

TEST(Rules, LetAnAgentGiveUp) {
  Settings settings;
  settings.least = 9;
  EXPECT_EQ(ended(settings, {.aborted = true}), Outcome::kAborted);
}

TEST(Rules, PassAStoryThatIsClaimedAndHasSucceeded) {
  EXPECT_TRUE(story_passes(true, std::nullopt));
  EXPECT_TRUE(story_passes(true, 0));
  EXPECT_FALSE(story_passes(true, 2));
  EXPECT_FALSE(story_passes(false, 0));
}

}  // namespace
}  // namespace sbx::agentloop
