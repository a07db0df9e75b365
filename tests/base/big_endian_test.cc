// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/big_endian.h"

#include <gtest/gtest.h>

namespace sbx {
namespace {

TEST(BigEndian, ReadsBackWhatItWrote) {
  std::string bytes;
  append_big_endian(bytes, 0x8001, 2);
  append_big_endian(bytes, 0xfeedfeed, 4);
  BigEndianReader reader(bytes);
  EXPECT_EQ(reader.number(2), 0x8001u);
  EXPECT_EQ(reader.number(4), 0xfeedfeedu);
  EXPECT_TRUE(reader.at_end());
}

TEST(BigEndian, StaysBadOnceBytesAreMissing) {
  using namespace std::string_view_literals;
  BigEndianReader reader("\x05hi"sv);
  EXPECT_EQ(reader.part(1), "");
  EXPECT_EQ(reader.bytes(1), "");
  EXPECT_FALSE(reader.good());
  EXPECT_FALSE(reader.more());
  EXPECT_FALSE(reader.at_end());
}

}  // namespace
}  // namespace sbx
