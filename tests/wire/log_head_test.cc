// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/log_head.h"

#include <gtest/gtest.h>

namespace sbx::wire {
namespace {

TEST(LogHead, IsReadAsItWasWritten) {
  const LogHead written = LogHead::after(16'777'216);
  EXPECT_EQ(written.line(), "[sandbox: 16777216 bytes of earlier output were dropped]\n");
  const LogHead read = LogHead::of(written.line() + "more\n");
  EXPECT_EQ(read.dropped, 16'777'216);
  EXPECT_EQ(read.size, written.size);
}

TEST(LogHead, NumbersGoOnWhereTheDroppedEnded) {
  const LogHead head = LogHead::after(1000);
  EXPECT_EQ(head.number_at(head.size), 1000);
  EXPECT_EQ(head.offset_of(1000), head.size);
  EXPECT_EQ(head.offset_of(1007), head.size + 7);
  EXPECT_EQ(head.offset_of(999), 0);
  EXPECT_EQ(head.offset_of(0), 0);
  const LogHead none;
  EXPECT_EQ(none.number_at(7), 7);
  EXPECT_EQ(none.offset_of(7), 7);
}

TEST(LogHead, WhatIsNoneIsOutput) {
  for (const char* text :
       {"", "output\n", "[sandbox: 1000 bytes of earlier output were dropped]", "[sandbox: \n",
        "[sandbox:  bytes of earlier output were dropped]\n", "[sandbox: -9999 bytes of earlier output were dropped]\n",
        "[sandbox: 7 bytes of earlier output were dropped]\n", "[sandbox: 1e9 bytes of earlier output were dropped]\n",
        "[sandbox: 9999999999999999999 bytes of earlier output were dropped]\n",
        " [sandbox: 1000 bytes of earlier output were dropped]\n"})
    EXPECT_EQ(LogHead::of(text).size, 0) << text;
}

}  // namespace
}  // namespace sbx::wire
