// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/frame.h"

#include <gtest/gtest.h>

namespace sbx::wire {
namespace {

std::span<const char, kHeaderSize> span(const std::array<char, kHeaderSize>& bytes) { return bytes; }

TEST(Frame, HeaderSurvivesTheWire) {
  const auto decoded = decode_header(span(encode(Header{4711, 0x01020304, Kind::kOut})));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->length, 4711u);
  EXPECT_EQ(decoded->stream, 0x01020304u);
  EXPECT_EQ(decoded->kind, Kind::kOut);
}

TEST(Frame, HeaderIsLittleEndian) {
  const auto bytes = encode(Header{0x0a0b, 7, Kind::kExit});
  EXPECT_EQ(std::string(bytes.data(), bytes.size()), std::string("\x0b\x0a\0\0\x07\0\0\0\x16\0\0\0", 12));
}

TEST(Frame, RefusesWhatItDoesNotKnow) {
  struct Case {
    const char* why;
    std::size_t at;
    char value;
  };
  for (const Case& c : {Case{"kind 0", 8, 0}, Case{"kind 8", 8, 8}, Case{"kind 28", 8, 28}, Case{"kind 255", 8, '\xff'},
                        Case{"reserved", 9, 1}, Case{"reserved", 11, '\x80'}, Case{"length", 3, '\x7f'}}) {
    auto bytes = encode(Header{1, 1, Kind::kData});
    bytes[c.at] = c.value;
    EXPECT_FALSE(decode_header(span(bytes))) << c.why;
  }
}

TEST(Frame, LargestPayloadIsTheLimit) {
  EXPECT_TRUE(decode_header(span(encode(Header{kLargestPayload, 1, Kind::kData}))));
  EXPECT_FALSE(decode_header(span(encode(Header{kLargestPayload + 1, 1, Kind::kData}))));
}

TEST(Frame, NumbersMustHaveTheirExactSize) {
  EXPECT_EQ(decode_u32(std::string_view("\x01\x00\x00\x80", 4)), 0x80000001u);
  EXPECT_FALSE(decode_u32("abc"));
  EXPECT_FALSE(decode_u32("abcde"));
  const auto size = encode(WindowSize{24, 80});
  const auto decoded = decode_window_size(std::string_view(size.data(), size.size()));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->rows, 24);
  EXPECT_EQ(decoded->columns, 80);
}

}  // namespace
}  // namespace sbx::wire
