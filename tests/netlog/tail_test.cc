// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/tail.h"

#include <gtest/gtest.h>

#include "netlog/log.h"

namespace sbx::netlog {
namespace {

using testing::Ids;
using testing::ids;

Record open_one(std::int64_t id) {
  Record record;
  record.id = id;
  record.allowed = true;
  return record;
}

Record over(std::int64_t id) {
  Record record = open_one(id);
  record.duration_us = 5;
  return record;
}

Record refused(std::int64_t id) {
  Record record;
  record.id = id;
  return record;
}

TEST(Tail, TellsEachDecisionOnce) {
  Tail tail(3);
  EXPECT_EQ(tail.after(), 3);
  EXPECT_EQ(ids(tail.news({over(4), refused(5)})), (Ids{4, 5}));
  EXPECT_EQ(tail.after(), 5);
  EXPECT_EQ(ids(tail.news({})), Ids{});
  EXPECT_EQ(ids(tail.news({over(6)})), Ids{6});
}

TEST(Tail, TellsOfTheEndOfWhatWentOn) {
  Tail tail;
  EXPECT_EQ(ids(tail.news({open_one(1), over(2)})), (Ids{1, 2}));
  EXPECT_EQ(tail.after(), 0) << "the first is still waited for";
  EXPECT_EQ(ids(tail.news({open_one(1), over(2), over(3)})), Ids{3});
  EXPECT_EQ(ids(tail.news({over(1), over(2), over(3)})), Ids{1});
  EXPECT_EQ(tail.after(), 3);
  EXPECT_EQ(ids(tail.news({})), Ids{});
}

TEST(Tail, DoesNotWaitForWhatHasLeftTheLog) {
  Tail tail;
  (void)tail.news({open_one(1), open_one(2), over(3)});
  EXPECT_EQ(ids(tail.news({open_one(2), over(3)})), Ids{});
  EXPECT_EQ(tail.after(), 1);
  (void)tail.news({});
  EXPECT_EQ(tail.after(), 3);
}

}  // namespace
}  // namespace sbx::netlog
