// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/event_stream.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

TEST(EventStream, AnEventIsItsNameAndItsData) {
  EventStream stream;
  stream.feed("event: progress\ndata: {\"a\":1}\n\nevent: result\r\ndata:x\r\n\r\n");
  const auto first = stream.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->name, "progress");
  EXPECT_EQ(first->data, "{\"a\":1}");
  const auto second = stream.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->name, "result");
  EXPECT_EQ(second->data, "x");
  EXPECT_FALSE(stream.next());
}

TEST(EventStream, APieceMayEndAnywhere) {
  const std::string whole = "event: progress\ndata: one\ndata: two\n\n";
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    EventStream stream;
    stream.feed(whole.substr(0, cut));
    EXPECT_FALSE(stream.next());
    stream.feed(whole.substr(cut));
    const auto event = stream.next();
    ASSERT_TRUE(event) << cut;
    EXPECT_EQ(event->data, "one\ntwo");
  }
}

TEST(EventStream, CommentsAndEmptyEventsAreNoEvents) {
  EventStream stream;
  stream.feed(":\n\n: keep alive\n\nevent: empty\n\nid: 4\ndata: last\n\n");
  const auto event = stream.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->name, "message");
  EXPECT_EQ(event->data, "last");
  EXPECT_FALSE(stream.next());
}

}  // namespace
}  // namespace sbx::cli
