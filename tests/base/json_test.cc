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
