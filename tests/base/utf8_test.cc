// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace sbx {
namespace {

std::string code_of(std::string_view text) {
  const auto character = first_character(text);
  return character ? std::to_string(character->code) + "/" + std::to_string(character->size) : "none";
}

TEST(Utf8, TheFirstCharacterIsRead) {
  EXPECT_EQ(code_of("ab"), "97/1");
  EXPECT_EQ(code_of(std::string_view("\0", 1)), "0/1");
  EXPECT_EQ(code_of("\u00fcx"), "252/2");
  EXPECT_EQ(code_of("\u20ac"), "8364/3");
  EXPECT_EQ(code_of("\U0010ffff"), "1114111/4");
}

TEST(Utf8, WhatIsNotWellFormedIsNone) {
  for (const char* text :
       {"", "\x80", "\xbf", "\xc2", "\xc2x", "\xe2\x82", "\xe2x\xac", "\xf0\x9f\x91", "\xff", "\xfe"})
    EXPECT_EQ(code_of(text), "none") << text;
  for (const char* overlong : {"\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf"})
    EXPECT_EQ(code_of(overlong), "none");
  EXPECT_EQ(code_of("\xed\xa0\x80"), "none") << "a surrogate";
  EXPECT_EQ(code_of("\xf4\x90\x80\x80"), "none") << "beyond the last";
}

TEST(Utf8, ACharacterThatIsCutIsToldFromOneThatIsNone) {
  for (const char* text : {"\xc2", "\xe2", "\xe2\x82", "\xf0\x9f\x91"}) EXPECT_TRUE(is_cut_character(text)) << text;
  for (const char* text : {"", "a", "\x80", "\xff", "\xe2x", "\xc2\xa0", "\u20ac"})
    EXPECT_FALSE(is_cut_character(text));
}

TEST(Utf8, WhatSteersADisplayIsKnown) {
  for (const char32_t code : {0x00, 0x0a, 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a,
                              0x202e, 0x2066, 0x2069, 0x206f})
    EXPECT_TRUE(steers_display(code)) << static_cast<unsigned>(code);
  for (const char32_t code : {0x20, 0x7e, 0xa0, 0x61b, 0x61d, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x2070, 0x1f469})
    EXPECT_FALSE(steers_display(code)) << static_cast<unsigned>(code);
}

}  // namespace
}  // namespace sbx
