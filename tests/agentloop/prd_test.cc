// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/prd.h"

#include <gtest/gtest.h>

namespace sbx::agentloop {
namespace {

constexpr const char* kFile = R"({
  "zeta": [1, {"b": 2, "a": 1}],
  "userStories": [
    {"id": "US-1", "title": "One", "acceptanceCriteria": ["a", "b"], "priority": 2, "passes": false, "notes": "n"},
    {"id": "US-2", "title": "Two", "acceptance": "c", "priority": 1},
    {"title": "Three", "acceptance_criteria": ["d"], "priority": 3, "skipped": true}
  ],
  "branchName": "x"
})";

TEST(Prd, TakesTheSmallestPriorityFirst) {
  auto prd = Prd::parse(kFile);
  ASSERT_TRUE(prd);
  EXPECT_EQ(prd->next()->id, "US-2");
  EXPECT_TRUE(prd->mark("US-2", true));
  EXPECT_EQ(prd->next()->id, "US-1");
  EXPECT_FALSE(prd->all_pass());
  EXPECT_TRUE(prd->mark("US-1", true));
  EXPECT_TRUE(prd->all_pass());  // what is skipped is not waited for
}

TEST(Prd, ReadsEverySpellingOfWhatMakesAStoryPass) {
  const auto stories = Prd::parse(kFile)->stories();
  ASSERT_EQ(stories.size(), 3u);
  EXPECT_EQ(stories[0].acceptance, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(stories[1].acceptance, std::vector<std::string>{"c"});
  EXPECT_EQ(stories[2].acceptance, std::vector<std::string>{"d"});
  EXPECT_EQ(stories[2].id, "3");
}

TEST(Prd, KeepsWhatItDoesNotKnowAndItsOrder) {
  auto prd = Prd::parse(kFile);
  ASSERT_TRUE(prd->mark("US-1", true));
  Json expected = parse_json(kFile).value();
  expected["userStories"][0]["passes"] = true;
  EXPECT_EQ(prd->text(), dump_pretty(expected) + "\n");
}

TEST(Prd, AnIdIsNoLongText) {
  const auto file = [](std::size_t length) { return R"({"stories":[{"id":")" + std::string(length, 'x') + "\"}]}"; };
  EXPECT_TRUE(Prd::parse(file(256)));
  EXPECT_EQ(Prd::parse(file(257)).error().code(), Code::kInvalid);
}

TEST(Prd, MarksOnlyWhatChanges) {
  auto prd = Prd::parse(kFile);
  EXPECT_FALSE(prd->mark("US-1", false));
  EXPECT_FALSE(prd->mark("nowhere", true));
}

TEST(Prd, RefusesWhatIsNone) {
  for (const char* text : {"", "[]", "{}", R"({"stories":[]})", R"({"stories":{}})", R"({"stories":[1]})",
                           R"({"stories":[{"id":"a"},{"id":"a"}]})"})
    EXPECT_FALSE(Prd::parse(text)) << text;
}

TEST(Prd, RefusesAListThatWouldTakeOurMemory) {
  std::string stories;
  while (stories.size() <= Prd::kLongest) stories += "{},";
  const auto parsed = Prd::parse(R"({"stories":[)" + stories + "{}]}");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace sbx::agentloop
