// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/events.h"

#include <gtest/gtest.h>

namespace sbx::sandboxes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Events, ReachEveryListenerInOrder) {
  Events events;
  const auto one = events.listen();
  const auto two = events.listen();
  events.publish(wire::EventKind::kCreate, "box");
  events.publish(wire::EventKind::kStart, "box");
  for (const auto& listener : {one, two}) {
    EXPECT_EQ(listener->next(seconds(1))->kind, wire::EventKind::kCreate);
    EXPECT_EQ(listener->next(seconds(1))->kind, wire::EventKind::kStart);
    EXPECT_FALSE(listener->next(milliseconds(0)));
  }
}

TEST(Events, AListenerThatFallsBehindIsDroppedAndTheOthersAreNot) {
  Events events;
  const auto slow = events.listen();
  const auto quick = events.listen();
  for (std::size_t i = 0; i <= Events::kMostQueued; ++i) {
    events.publish(wire::EventKind::kExecStart, "box");
    EXPECT_TRUE(quick->next(seconds(1)));
  }
  EXPECT_TRUE(slow->dropped());
  EXPECT_FALSE(quick->dropped());
}

TEST(Events, ClosingWakesListeners) {
  Events events;
  const auto listener = events.listen();
  events.close();
  EXPECT_FALSE(listener->next(seconds(60)));
  EXPECT_TRUE(listener->dropped());
  EXPECT_TRUE(events.listen()->dropped());
}

}  // namespace
}  // namespace sbx::sandboxes
