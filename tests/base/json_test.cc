// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <gtest/gtest.h>

namespace sbx {
namespace {

TEST(Json, RefusesWhatIsNotStrictJson) {
  for (const char* text : {"", "{", "{}x", "{'a':1}", "[1,]", "nul", "\"\x01\"", "{\"a\":1,\"a\":2}", "// x\n{}"})
    EXPECT_FALSE(parse_json(text)) << text;
}

TEST(Json, NestingIsBounded) {
  EXPECT_TRUE(parse_json(std::string(60, '[') + std::string(60, ']')));
  EXPECT_FALSE(parse_json(std::string(100'000, '[') + std::string(100'000, ']')));
}

std::string object_of(std::size_t members) {
  std::string text = "{";
  for (std::size_t i = 0; i < members; ++i) text += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":1";
  return text + "}";
}

TEST(Json, TheMembersOfOneObjectAreBounded) {
  const auto most = parse_json(object_of(4096));
  ASSERT_TRUE(most) << most.error().what();
  EXPECT_EQ(most->size(), 4096u);
  EXPECT_EQ((*most)["4095"], 1);
  const auto more = parse_json("[{\"x\":" + object_of(4097) + "}]");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().what(), "JSON has an object of more than 4096 members");
}

TEST(Json, OfManyObjectsEachHasItsOwnBound) {
  std::string text = "[";
  for (int i = 0; i < 3; ++i) text += (i > 0 ? "," : "") + object_of(4096);
  EXPECT_TRUE(parse_json(text + "]"));
}

// As many as the largest message of ours has room for: with steps that grew with the square this would take minutes.
TEST(Json, AHostileDocumentOfTheLargestSizeIsReadInOneGo) {
  constexpr std::size_t kLargest = 4u << 20;
  std::string objects = "[{}";
  while (objects.size() < kLargest) objects += ",{}";
  EXPECT_EQ(parse_json(objects + "]")->size(), objects.size() / 3);
  std::string full = "[" + object_of(4096);
  while (full.size() < kLargest) full += "," + object_of(4096);
  EXPECT_TRUE(parse_json(full + "]"));
}

TEST(Json, ValuesOfEveryKindComeBackAsTheyWere) {
  const std::string text =
      R"({"z":null,"a":[true,false,-1,18446744073709551615,1.5,"x\u00e4",[],{}],"b":{"c":{"d":0}}})";
  const auto json = parse_json(text);
  ASSERT_TRUE(json) << json.error().what();
  EXPECT_EQ(*json, Json::parse(text));
  EXPECT_EQ(json->begin().key(), "z") << "in the order of the text";
  for (const char* plain : {"1", "\"x\"", "null", "[]", "{}"}) EXPECT_EQ(dump(*parse_json(plain)), plain);
}

TEST(Json, DuplicateKeysAreRefusedAtAnyDepthButSiblingsMayShareThem) {
  EXPECT_FALSE(parse_json(R"({"x":{"a":1,"a":2}})"));
  EXPECT_TRUE(parse_json(R"([{"a":1},{"a":2}])"));
  EXPECT_TRUE(parse_json(R"({"a":{"a":1}})"));
}

TEST(Json, DumpNeverThrowsOnBadUtf8) { EXPECT_EQ(dump(Json("\xff")), "\"\xef\xbf\xbd\""); }

TEST(Fields, NamesTheFirstProblem) {
  const Json json = {{"a", 1}, {"b", "x"}};
  Fields fields(json, "thing");
  fields.text("a");
  fields.text("missing");
  const auto done = fields.finish();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what(), "thing: \"a\" must be a string");
}

TEST(Fields, NamesUnknownMembersUnlessTold) {
  const Json json = {{"known", true}, {"extra", 1}};
  Fields strict(json, "thing");
  strict.boolean("known", false);
  EXPECT_EQ(strict.finish().error().what(), "thing: unknown member \"extra\"");
  Fields lenient(json, "thing");
  lenient.boolean("known", false);
  EXPECT_TRUE(lenient.finish(true));
}

TEST(Fields, IntegersRefuseFractionsAndOverflow) {
  const Json json = {{"f", 1.5}, {"big", 18446744073709551615ull}};
  Fields f(json, "n");
  f.integer("f", 0);
  EXPECT_FALSE(f.finish(true));
  Fields big(json, "n");
  big.integer("big", 0);
  EXPECT_FALSE(big.finish(true));
}

}  // namespace
}  // namespace sbx
