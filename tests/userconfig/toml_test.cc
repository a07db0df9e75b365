// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/toml.h"

#include <gtest/gtest.h>

namespace sbx::userconfig {
namespace {

TEST(Toml, IsReadAsJsonAndWrittenSoThatItIsReadTheSame) {
  const auto json = parse_toml(
      "model = \"o\"\nlimit = 3\nhigh = 1.5\non = true\nlist = [\"a\", \"b\"]\n"
      "[mcp_servers.files]\ncommand = \"npx\"\nargs = [\"\"\"-y\"\"\"]\n[[x]]\ny = 1\n");
  ASSERT_TRUE(json) << json.error().what();
  EXPECT_EQ(dump(*json), R"({"high":1.5,"limit":3,"list":["a","b"],"mcp_servers":{"files":{"args":["-y"],)"
                         R"("command":"npx"}},"model":"o","on":true,"x":[{"y":1}]})");
  EXPECT_EQ(*parse_toml(toml_of(*json)), *json);
}

TEST(Toml, ThatIsBrokenOrHasADateIsRefused) {
  EXPECT_FALSE(parse_toml("model = "));
  EXPECT_FALSE(parse_toml("day = 2026-01-01\n"));
}

TEST(Toml, KeysAndTextsWithQuotesAreKept) {
  const Json json = {{"projects", {{"/a b/\"c\"", {{"x", "line\n\"quoted\"\\"}}}}}};
  EXPECT_EQ(*parse_toml(toml_of(json)), json);
}

}  // namespace
}  // namespace sbx::userconfig
