// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

#include <array>

namespace sbx {
namespace {

TEST(Text, BytesAreReadAsDockerReadsThem) {
  struct Case {
    const char* text;
    std::optional<std::int64_t> bytes;
  };
  for (const Case& c : {Case{"0", 0},
                        Case{"1024", 1024},
                        Case{"1b", 1},
                        Case{"1k", 1024},
                        Case{"1K", 1024},
                        Case{"512m", 512ll << 20},
                        Case{"8g", 8ll << 30},
                        Case{"1GiB", 1ll << 30},
                        Case{"1gb", 1ll << 30},
                        Case{"1.5g", 3ll << 29},
                        Case{"2t", 2ll << 40},
                        Case{"", std::nullopt},
                        Case{"g", std::nullopt},
                        Case{"-1m", std::nullopt},
                        Case{"1x", std::nullopt},
                        Case{"1mm", std::nullopt},
                        Case{"1 m", std::nullopt},
                        Case{"1bb", std::nullopt},
                        Case{"99999999999t", std::nullopt},
                        Case{"nan", std::nullopt},
                        Case{"inf", std::nullopt}})
    EXPECT_EQ(parse_bytes(c.text), c.bytes) << c.text;
}

TEST(Text, DurationsAreAsGoWritesThem) {
  const struct {
    const char* text;
    std::optional<std::int64_t> seconds;
  } kCases[] = {{"90s", 90},
                {"30m", 1800},
                {"1h30m", 5400},
                {"2d", 172800},
                {"24h", 86400},
                {"", std::nullopt},
                {"5", std::nullopt},
                {"m", std::nullopt},
                {"-1h", std::nullopt},
                {"1w", std::nullopt},
                {"99999999999999999d", std::nullopt}};
  for (const auto& c : kCases) EXPECT_EQ(parse_duration(c.text), c.seconds) << c.text;
}

TEST(Text, BytesAreShownAsDockerShowsThem) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1500), "1.5 kB");
  EXPECT_EQ(bytes_text(357'000'000), "357 MB");
  EXPECT_EQ(bytes_text(1'440'000'000), "1.4 GB");
}

TEST(Text, PrintableEscapesControlCharactersAndKeepsUtf8) {
  EXPECT_EQ(printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\\x0a");
  EXPECT_EQ(printable("größe\u00a0"), "größe\u00a0");
  EXPECT_EQ(printable("\u009b2J\u0080"), "\\x9b2J\\x80");
}

TEST(Text, PrintableEscapesWhatReordersTextOrEndsALine) {
  EXPECT_EQ(printable("access\u202etxt.exe\u202c"), "access\\u202etxt.exe\\u202c");
  EXPECT_EQ(printable("\u2066\u2069\u200e\u200f\u061c\u2028\u2029"),
            "\\u2066\\u2069\\u200e\\u200f\\u061c\\u2028\\u2029");
  EXPECT_EQ(printable("שלום \u200d👩‍💻"), "שלום \u200d👩‍💻")
      << "letters of any direction, and what joins them, stay";
}

TEST(Text, PrintableEscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\x9b"
                      "2J"),
            "\\x9b2J")
      << "in another encoding it begins an escape sequence";
  EXPECT_EQ(printable("\xc2"), "\\xc2");
  EXPECT_EQ(printable("\xe2\x80"
                      "a"),
            "\\xe2\\x80a");
}

TEST(Text, IntegersAreWholeOrNothing) {
  EXPECT_EQ(parse_integer("42"), 42);
  EXPECT_EQ(parse_integer("-1"), -1);
  for (const char* text : {"", "4 2", "42x", " 42", "0x10", "9223372036854775808"})
    EXPECT_FALSE(parse_integer(text)) << text;
}

TEST(Text, JoinKeepsEmptyParts) {
  EXPECT_EQ(join(std::vector<std::string>{"", "a", ""}, ","), ",a,");
  EXPECT_EQ(join(std::vector<std::string_view>{}, ","), "");
}

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a::b:", ':'), (std::vector<std::string>{"a", "", "b", ""}));
  EXPECT_EQ(split("", ':'), std::vector<std::string>{""});
}

TEST(Text, IsCutOffPartByPart) {
  std::string_view rest = "a::b";
  EXPECT_EQ(cut_off(rest, ':'), "a");
  EXPECT_EQ(cut_off(rest, ':'), "");
  EXPECT_EQ(cut_off(rest, ':'), "b");
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(cut_off(rest, ':'), "");
}

TEST(Text, IsSplitIntoExactlySoManyParts) {
  std::array<std::string_view, 3> parts;
  ASSERT_TRUE(split_exactly("a::b", ':', parts));
  EXPECT_EQ(parts, (std::array<std::string_view, 3>{"a", "", "b"}));
  EXPECT_FALSE(split_exactly("a:b", ':', parts));
  EXPECT_FALSE(split_exactly("a:b:c:", ':', parts));
  EXPECT_FALSE(split_exactly("", ':', parts));
}

}  // namespace
}  // namespace sbx
