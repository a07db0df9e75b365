// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/secrets_file.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::cli {
namespace {

TEST(SecretsFile, TakesBothFormsOfATime) {
  const auto file = parse_secrets_file(
      R"({"secrets":[{"name":"a","env_var":"A","ttl":"1h"},{"name":"b","env_var":"B","ttl":60000000000},
          {"name":"c","env_var":"C"}],"client_id":"me"})");
  ASSERT_TRUE(file) << file.error().what();
  EXPECT_EQ(file->client_id, "me");
  ASSERT_EQ(file->secrets.size(), 3u);
  EXPECT_EQ(file->secrets[0].ttl_s, 3600);
  EXPECT_EQ(file->secrets[1].ttl_s, 60);
  EXPECT_EQ(file->secrets[2].ttl_s, 0);
}

TEST(SecretsFile, SaysWhatIsWrong) {
  for (const char* text :
       {"", "{}", R"({"secrets":[]})", R"({"secrets":[{"name":"a"}]})", R"({"secrets":[{"name":"a","env_var":"A=B"}]})",
        R"({"secrets":[{"name":"a","env_var":"1A"}]})", R"({"secrets":[{"name":"a","env_var":"A","ttl":"soon"}]})",
        R"({"secrets":[{"name":"a","env_var":"A","ttl":5}]})", R"({"source":"vercel"})"})
    EXPECT_FALSE(parse_secrets_file(text)) << text;
}

TEST(SecretsFile, ChoosesNoVariableThatProgramsObey) {
  const auto file = parse_secrets_file(R"({"secrets":[{"name":"a","env_var":"BASH_ENV"}]})");
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().what().find("BASH_ENV is a variable that programs take orders from"), std::string::npos);
}

TEST(SecretsFile, IsTheNearestAbove) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(make_directories(directory / "a/b/c"));
  EXPECT_FALSE(find_secrets_file(directory / "a/b/c"));
  ASSERT_TRUE(write_file(directory / "a/.secrets.json", "{}"));
  EXPECT_EQ(*find_secrets_file(directory / "a/b/c"), directory / "a/.secrets.json");
}

TEST(SecretsFile, WritesValuesThatAShellReadsAsTheyAre) {
  EXPECT_EQ(env_line("A", "plain"), "A='plain'\n");
  EXPECT_EQ(env_line("A", "it's $HOME"), "A='it'\\''s $HOME'\n");
}

}  // namespace
}  // namespace sbx::cli
