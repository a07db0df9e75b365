// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/rules.h"

#include <algorithm>

#include "base/format.h"

namespace sbx::agentloop {
namespace {

bool is_stuck(const State& state) {
  if (state.next() - 1 - state.stuck_from < kMostWithoutChange) return false;
  return std::all_of(state.iterations.end() - kMostWithoutChange, state.iterations.end(),
                     [](const Iteration& iteration) { return iteration.changed == 0; });
}

}  // namespace

std::optional<Stop> limit_reached(const Settings& settings, const State& state) {
  if (settings.most > 0 && state.next() > settings.most)
    return Stop{Outcome::kMost, sbx::format("{} iterations, and it is not done", settings.most)};
  if (settings.budget_s > 0 && state.elapsed_ms >= settings.budget_s * 1000)
    return Stop{Outcome::kBudget, sbx::format("it has worked for {} s, which is all it may", settings.budget_s)};
  if (settings.stops_when_stuck && is_stuck(state))
    return Stop{Outcome::kStuck, sbx::format("{} iterations in a row have changed no file", kMostWithoutChange)};
  return std::nullopt;
}

std::optional<Stop> end_of_task(const Settings& settings, const Evidence& evidence, std::int64_t iteration) {
  if (evidence.aborted) return Stop{Outcome::kAborted, "the agent has given up: " + settings.abort_promise};
  if (iteration < settings.least) return std::nullopt;
  if (evidence.has_list && !evidence.list_done) return std::nullopt;
  if (!settings.until_command.empty()) {
    if (evidence.until_code != 0) return std::nullopt;
    return Stop{Outcome::kComplete, "the command succeeds: " + settings.until_command};
  }
  // A list of stories says by itself when it is done; a list of tasks may be ticked off by an agent that goes on.
  const bool needs_promise = !settings.promise.empty() && settings.prd.empty();
  if (needs_promise && !evidence.promised) return std::nullopt;
  if (needs_promise) return Stop{Outcome::kComplete, "the agent has promised: " + settings.promise};
  if (evidence.has_list) return Stop{Outcome::kComplete, "all of the list is done"};
  return std::nullopt;
}

bool story_passes(bool claimed, std::optional<int> until_code) { return claimed && until_code.value_or(0) == 0; }

}  // namespace sbx::agentloop
