// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "store/name.h"

#include <gtest/gtest.h>

namespace sbx::store {
namespace {

TEST(Name, AcceptsLettersDigitsAndFourMarks) {
  for (const char* name : {"ab", "a1", "1a", "Shell-my.project_2+x", "a-", "a."}) EXPECT_TRUE(check_name(name)) << name;
  EXPECT_TRUE(check_name(std::string(63, 'a')));
}

TEST(Name, RefusesWhatCouldLeaveTheDirectory) {
  for (const char* name : {"../x", "..", ".", "/", "a/b", "a..b", "/etc", "a/../b"})
    EXPECT_FALSE(check_name(name)) << name;
}

TEST(Name, RefusesOddCharacters) {
  for (const char* name :
       {"", "a", "-ab", ".ab", "_ab", "+ab", "a b", "a\nb", "a:b", "\xc3\xa4\xc3\xa4", "a%2f", "a\\b"})
    EXPECT_FALSE(check_name(name)) << name;
  EXPECT_FALSE(check_name(std::string_view("a\0b", 3)));
}

TEST(Name, SaysThatItIsTooLongWithoutRepeatingIt) {
  const auto refused = check_name(std::string(200, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kInvalid);
  EXPECT_NE(refused.error().what().find("longer than 63"), std::string::npos);
  EXPECT_LT(refused.error().what().size(), 120u);
}

TEST(Name, AnAgentsMayBeOneLetter) {
  EXPECT_TRUE(check_agent_name("x"));
  EXPECT_FALSE(check_agent_name(""));
  EXPECT_FALSE(check_agent_name("../x"));
}

TEST(NameFrom, MakesADirectorysNameFit) {
  EXPECT_EQ(name_from("shell-my project"), "shell-my-project");
  EXPECT_EQ(name_from("shell-a..b"), "shell-a.b");
  EXPECT_EQ(name_from("shell-\xc3\xa4"), "shell");
  EXPECT_EQ(name_from("..hidden"), "hidden");
  EXPECT_EQ(name_from(std::string(200, 'x')), std::string(63, 'x'));
  EXPECT_EQ(name_from("///"), "");
}

}  // namespace
}  // namespace sbx::store
