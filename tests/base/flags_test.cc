// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/flags.h"

#include <gtest/gtest.h>

namespace sbx {
namespace {

using Words = std::vector<std::string>;

constexpr Flag kTable[] = {
    {.name = "interactive", .letter = 'i'},
    {.name = "tty", .letter = 't'},
    {.name = "env", .letter = 'e', .kind = FlagKind::kList, .value = "K=V"},
    {.name = "user", .letter = 'u', .kind = FlagKind::kText, .value = "USER", .fallback = "agent"},
};

Result<Arguments> parsed(const Words& words, Grammar grammar = Grammar::kInterspersed) {
  return parse_flags(words, all_of({kTable}), grammar);
}

std::string refusal(const Words& words) {
  const auto arguments = parsed(words);
  return arguments ? "accepted" : arguments.error().what();
}

TEST(Flags, ABundleOfLettersSetsEachOfThem) {
  const auto arguments = parsed({"-it", "box"});
  ASSERT_TRUE(arguments);
  EXPECT_TRUE(arguments->on("interactive"));
  EXPECT_TRUE(arguments->on("tty"));
  EXPECT_EQ(arguments->operands(), Words{"box"});
}

TEST(Flags, EveryFormOfAValueMeansTheSame) {
  for (const Words& words : {Words{"-e", "K=V"}, Words{"-eK=V"}, Words{"-e=K=V"}, Words{"--env=K=V"},
                             Words{"--env", "K=V"}, Words{"-ie", "K=V"}, Words{"-iteK=V"}}) {
    const auto arguments = parsed(words);
    ASSERT_TRUE(arguments) << words.front();
    EXPECT_EQ(arguments->list("env"), Words{"K=V"}) << words.front();
  }
}

TEST(Flags, AListKeepsEveryValueAndATextTheLast) {
  const auto arguments = parsed({"-e", "A=1", "-u", "root", "-e", "B=2", "--user=1000"});
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->list("env"), (Words{"A=1", "B=2"}));
  EXPECT_EQ(arguments->text("user"), "1000");
}

TEST(Flags, AValueMayLookLikeAFlag) {
  const auto arguments = parsed({"--user", "-i"});
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->text("user"), "-i");
  EXPECT_FALSE(arguments->on("interactive"));
}

TEST(Flags, SwitchesTakeGoBooleans) {
  for (const char* yes : {"--tty", "--tty=true", "--tty=1", "--tty=T", "-t=true"})
    EXPECT_TRUE(parsed({yes})->on("tty")) << yes;
  for (const char* no : {"--tty=false", "--tty=0", "--tty=F", "-t=false"}) EXPECT_FALSE(parsed({no})->on("tty")) << no;
  EXPECT_EQ(refusal({"--tty=maybe"}), "--tty takes true or false, not \"maybe\"");
}

TEST(Flags, AFlagThatIsNotGivenHasItsFallback) {
  const auto arguments = parsed({});
  EXPECT_EQ(arguments->text("user"), "agent");
  EXPECT_FALSE(arguments->given("user"));
  EXPECT_TRUE(arguments->list("env").empty());
}

TEST(Flags, WhatIsWrongIsNamedAsItWasGiven) {
  EXPECT_EQ(refusal({"--foo"}), "unknown flag: --foo");
  EXPECT_EQ(refusal({"--foo=bar"}), "unknown flag: --foo");
  EXPECT_EQ(refusal({"-x"}), "unknown flag: -x");
  EXPECT_EQ(refusal({"-itx"}), "unknown flag: -x in -itx");
  EXPECT_EQ(refusal({"--env"}), "flag needs an argument: --env");
  EXPECT_EQ(refusal({"-ie"}), "flag needs an argument: -e");
}

TEST(Flags, FlagsAndOperandsMayBeMixed) {
  const auto arguments = parsed({"a", "-i", "b", "--", "-t", "c"});
  ASSERT_TRUE(arguments);
  EXPECT_TRUE(arguments->on("interactive"));
  EXPECT_FALSE(arguments->on("tty"));
  EXPECT_EQ(arguments->operands(), (Words{"a", "b", "-t", "c"}));
}

TEST(Flags, ALoneDashIsAnOperand) {
  const auto arguments = parsed({"box:/x", "-"});
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->operands(), (Words{"box:/x", "-"}));
}

TEST(Flags, AfterTheDashesOfRunEverythingIsTheAgents) {
  const auto arguments = parsed({"shell", "-i", ".", "--", "-c", "--", "x"}, Grammar::kSplitAtDashes);
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->operands(), (Words{"shell", "."}));
  EXPECT_EQ(arguments->rest(), (Words{"-c", "--", "x"}));
}

TEST(Flags, AfterTheSandboxOfExecEverythingIsTheCommands) {
  const auto arguments = parsed({"-i", "box", "ls", "-t", "--foo", "--", "x"}, Grammar::kStopAtOperand);
  ASSERT_TRUE(arguments);
  EXPECT_FALSE(arguments->on("tty"));
  EXPECT_EQ(arguments->operands(), Words{"box"});
  EXPECT_EQ(arguments->rest(), (Words{"ls", "-t", "--foo", "--", "x"}));
}

TEST(Flags, DashesBeforeOrAfterTheSandboxAreNotPartOfTheCommand) {
  for (const Words& words : {Words{"--", "box", "ls", "-l"}, Words{"box", "--", "ls", "-l"}}) {
    const auto arguments = parsed(words, Grammar::kStopAtOperand);
    ASSERT_TRUE(arguments);
    EXPECT_EQ(arguments->operands(), Words{"box"});
    EXPECT_EQ(arguments->rest(), (Words{"ls", "-l"}));
  }
}

TEST(Flags, LeadingFlagsEndAtTheFirstOtherWord) {
  EXPECT_EQ(*leading_flags(Words{"-i", "--user", "x", "ls", "-t"}, all_of({kTable})), 3u);
  EXPECT_EQ(*leading_flags(Words{"ls", "-t"}, all_of({kTable})), 0u);
  EXPECT_FALSE(leading_flags(Words{"--foo", "ls"}, all_of({kTable})));
}

}  // namespace
}  // namespace sbx
