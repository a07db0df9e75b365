// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/detach_keys.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

DetachKeys keys(std::string_view text) {
  auto parsed = DetachKeys::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(DetachKeys());
}

TEST(DetachKeys, TheUsualSequenceIsControlPControlQ) {
  const auto typed = keys(kUsualDetachKeys).filter("ab\x10\x11 never sent");
  EXPECT_EQ(typed.bytes, "ab");
  EXPECT_TRUE(typed.detach);
}

TEST(DetachKeys, ABeginningIsHeldBackUntilTheNextKeyDecides) {
  DetachKeys watched = keys(kUsualDetachKeys);
  EXPECT_EQ(watched.filter("a\x10").bytes, "a");
  EXPECT_EQ(watched.filter("b").bytes,
            "\x10"
            "b");
  EXPECT_EQ(watched.filter("\x10").bytes, "");
  const auto typed = watched.filter("\x11");
  EXPECT_TRUE(typed.detach);
  EXPECT_EQ(typed.bytes, "");
}

TEST(DetachKeys, ARepeatedFirstKeyStillBeginsTheSequence) {
  const auto typed = keys(kUsualDetachKeys).filter("\x10\x10\x11");
  EXPECT_EQ(typed.bytes, "\x10");
  EXPECT_TRUE(typed.detach);
}

TEST(DetachKeys, ASequenceThatBeginsInsideItselfIsFound) {
  const auto typed = keys("a,a,b").filter("aaab");
  EXPECT_EQ(typed.bytes, "a");
  EXPECT_TRUE(typed.detach);
}

TEST(DetachKeys, EveryFormOfAKeyIsKnown) {
  EXPECT_TRUE(keys("ctrl-a").filter("\x01").detach);
  EXPECT_TRUE(keys("ctrl-A").filter("\x01").detach);
  EXPECT_TRUE(keys("ctrl-[").filter("\x1b").detach);
  EXPECT_TRUE(keys("ctrl-\\").filter("\x1c").detach);
  EXPECT_TRUE(keys("ctrl-_").filter("\x1f").detach);
  EXPECT_TRUE(keys("ctrl-@").filter(std::string_view("\0", 1)).detach);
  EXPECT_TRUE(keys("x,y").filter("xy").detach);
}

TEST(DetachKeys, NoSequenceDetachesNothing) {
  const auto typed = keys("").filter("\x10\x11");
  EXPECT_EQ(typed.bytes, "\x10\x11");
  EXPECT_FALSE(typed.detach);
}

TEST(DetachKeys, WhatIsNoKeyIsRefused) {
  for (const char* text : {"ctrl-", "ctrl-1", "ctrl-ab", "shift-a", "a,,b", ",", "ab"})
    EXPECT_FALSE(DetachKeys::parse(text)) << text;
}

}  // namespace
}  // namespace sbx::cli
