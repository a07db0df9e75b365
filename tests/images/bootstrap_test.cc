// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/bootstrap.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/text.h"
#include "support/golden.h"
#include "support/temporary_directory.h"

namespace sbx::images {
namespace {

BuildHost some_host() {
  return BuildHost{
      {"debian", "bookworm"},
      {{{"http://me:secret@mirror.test/debian"}, {"bookworm-updates", "bookworm"}, {"main"}, {}}},
      {{"Acquire::Retries \"3\"", "Acquire::http::Proxy \"http://127.0.0.1:3142\""}, {"Acquire::Retries \"3\""}}};
}

TEST(Bootstrap, TheCommandIsTheGoldenOne) {
  const Command command = bootstrap_command(**find_recipe("shell"), some_host(), "/work");
  testing::expect_golden("images/bootstrap.argv", join(command.argv, "\n") + "\n");
}

TEST(Bootstrap, TheBuildSeesProxiesButNoSecretOfTheUsers) {
  ::setenv("ANTHROPIC_API_KEY", "sk-secret", 1);
  ::setenv("https_proxy", "http://proxy.test:3128", 1);
  const Command command = bootstrap_command(**find_recipe("shell"), some_host(), "/work");
  ::unsetenv("ANTHROPIC_API_KEY");
  ::unsetenv("https_proxy");
  const std::string environment = join(*command.environment, "\n");
  EXPECT_EQ(environment.find("sk-secret"), std::string::npos);
  EXPECT_NE(environment.find("https_proxy=http://proxy.test:3128"), std::string::npos);
  EXPECT_NE(environment.find("TMPDIR=/work"), std::string::npos);
}

TEST(Bootstrap, TheGuestsFilesHoldNeitherPasswordsNorLoopbackProxies) {
  const testing::TemporaryDirectory scratch;
  ASSERT_TRUE(write_inputs(some_host(), scratch.path()));
  EXPECT_NE(read_file(scratch / kBuildSources)->find("me:secret@"), std::string::npos);
  EXPECT_EQ(read_file(scratch / kGuestSources)->find("secret"), std::string::npos);
  EXPECT_EQ(*read_file(scratch / kGuestOptions), "// From the host's apt configuration.\nAcquire::Retries \"3\";\n");
}

}  // namespace
}  // namespace sbx::images
