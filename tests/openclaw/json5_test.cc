// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/json5.h"

#include <gtest/gtest.h>

#include <string>

#include "base/json.h"

namespace sbx::openclaw {
namespace {

std::string parsed(const std::string& text) {
  const auto value = parse_json5(text);
  return value ? dump(*value) : "error: " + value.error().what();
}

TEST(Json5, HasWhatJsonHasNot) {
  const struct {
    const char* text;
    const char* value;
  } cases[] = {
      {"{a: 1, 'b': 2, \"c\": 3,}", R"({"a":1,"b":2,"c":3})"},
      {"// a comment\n{ /* another\n one */ $a_1: true, }  // end", R"({"$a_1":true})"},
      {"[1, 2, ]", "[1,2]"},
      {"[]", "[]"},
      {"[+1, -1, .5, 5., 1e3, 0xff, -0x10, 0]", "[1,-1,0.5,5.0,1000.0,255,-16,0]"},
      {R"('it\'s "so"')", R"("it's \"so\"")"},
      {"'a\\\nb'", "\"ab\""},
      {"'a\\\r\nb'", "\"ab\""},
      {R"('\x41\u00e9\ud83d\ude00\q\t')", "\"A\xc3\xa9\xf0\x9f\x98\x80q\\t\""},
      {"\xef\xbb\xbf{\xc2\xa0"
       "a:null}",
       R"({"a":null})"},
      {"{\xed\x82\xa4: '\xea\xb0\x92'}", "{\"\xed\x82\xa4\":\"\xea\xb0\x92\"}"},
      {R"({\u0061b: 1})", R"({"ab":1})"},
      {"null", "null"},
  };
  for (const auto& [text, value] : cases) EXPECT_EQ(parsed(text), value) << text;
}

TEST(Json5, SaysWhereItIsWrong) {
  const struct {
    const char* text;
    const char* error;
  } cases[] = {
      {"", "line 1, column 1: a value is missing"},
      {"{\n  a: 1\n  b: 2\n}", "line 3, column 3: a comma or } is missing"},
      {"{a 1}", "line 1, column 4: a colon is missing after the key a"},
      {"[1 2]", "line 1, column 4: a comma or ] is missing"},
      {"{a: non-main}", "line 1, column 5: text has to be in quotes: non"},
      {"{a: 1, a: 2}", "line 1, column 8: the key a comes twice"},
      {"{a: 'x\n'}", "line 1, column 5: the text has no end: the quote is missing"},
      {"{a: 1} x", "line 1, column 8: there is more after the end of the value"},
      {"/* no end", "line 1, column 1: the comment has no end"},
      {"[,]", "line 1, column 2: a value is missing"},
      {"{,}", "line 1, column 2: a key is missing"},
      {"{1: 2}", "line 1, column 2: a key is missing"},
      {"[NaN]", "line 1, column 2: NaN is of no use here"},
      {"[-Infinity]", "line 1, column 2: -Infinity is of no use here"},
      {"[01]", "line 1, column 2: not a number: 01"},
      {"[1-2]", "line 1, column 2: not a number: 1-2"},
      {"[.]", "line 1, column 2: not a number: ."},
      {"[1e]", "line 1, column 2: not a number: 1e"},
      {"[0x]", "line 1, column 2: not a number: 0x"},
      {"[99999999999999999999]", "line 1, column 2: the number is too large: 99999999999999999999"},
      {"[1e999]", "line 1, column 2: the number is too large or too small: 1e999"},
      {R"('\0')", "line 1, column 3: a text cannot have a NUL character in it"},
      {R"('\x00')", "line 1, column 1: the text has a NUL character in it"},
      {R"('\ud800')", "line 1, column 4: half of a character"},
      {R"('\u12')", "line 1, column 6: 4 hexadecimal digits are missing"},
      {"'\xff'", "line 1, column 2: this is no UTF-8"},
      {"{\xff: 1}", "line 1, column 2: this is no UTF-8"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(parsed(text), std::string("error: ") + error) << text;
}

TEST(Json5, IsBounded) {
  const std::string deep = std::string(65, '[') + std::string(65, ']');
  EXPECT_EQ(parsed(deep), dump(*parse_json5(deep)));
  EXPECT_NE(parsed(std::string(66, '[') + std::string(66, ']')).find("more than 64 levels deep"), std::string::npos);
  EXPECT_NE(parsed(std::string(1 << 20, '[')).find("levels deep"), std::string::npos);
  EXPECT_EQ(parse_json5(std::string(kLargestJson5 + 1, ' ')).error().code(), Code::kTooLarge);
  std::string wide = "{";
  for (std::size_t i = 0; i <= kMostMembers; ++i) wide += "k" + std::to_string(i) + ":1,";
  EXPECT_NE(parsed(wide + "}").find("more keys in one object"), std::string::npos);
}

TEST(Json5, NeverShowsWhatSteersATerminal) {
  EXPECT_EQ(parsed("{a: \x1b[31m}"), "error: line 1, column 5: a value is missing");
  EXPECT_EQ(parsed("{'\\u001b[31m': 1, '\\u001b[31m': 2}"), "error: line 1, column 19: the key \\x1b[31m comes twice");
}

}  // namespace
}  // namespace sbx::openclaw
