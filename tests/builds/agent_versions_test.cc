// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/agent_versions.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::builds {
namespace {

TEST(IsLater, ComparesNumbersAndNotTexts) {
  EXPECT_TRUE(is_later("2.1.100", "2.1.99"));
  EXPECT_TRUE(is_later("10.0", "9.9.9"));
  EXPECT_TRUE(is_later("1.0.1", "1.0"));
  EXPECT_FALSE(is_later("1.0", "1.0.0"));
  EXPECT_FALSE(is_later("2.1.99", "2.1.100"));
  EXPECT_FALSE(is_later("2.1.5", "2.1.5"));
}

TEST(IsLater, AnEarlyVersionComesBeforeItsRelease) {
  EXPECT_TRUE(is_later("1.2.0", "1.2.0-beta.1"));
  EXPECT_FALSE(is_later("1.2.0-beta.1", "1.2.0"));
  EXPECT_TRUE(is_later("1.2.1-beta.1", "1.2.0"));
}

class AgentVersionsTest : public ::testing::Test {
 protected:
  agents::Agent agent(const std::string& version) const {
    agents::Agent made;
    made.name = "mine";
    made.version = version;
    return made;
  }
  testing::TemporaryDirectory directory_;
  const AgentVersions versions_{directory_ / "versions"};
};

TEST_F(AgentVersionsTest, HasThatOfTheTableUntilALaterOneIsChosen) {
  EXPECT_EQ(versions_.version_of(agent("1.5.0")), "1.5.0");
  ASSERT_TRUE(versions_.choose(agent("1.5.0"), "1.6.0"));
  EXPECT_EQ(versions_.version_of(agent("1.5.0")), "1.6.0");
}

TEST_F(AgentVersionsTest, ALaterOneOfTheTableTakesItsPlace) {
  ASSERT_TRUE(versions_.choose(agent("1.5.0"), "1.6.0"));
  EXPECT_EQ(versions_.version_of(agent("1.7.0")), "1.7.0");
}

TEST_F(AgentVersionsTest, AFileThatHoldsNoVersionIsPassedOver) {
  ASSERT_TRUE(make_directories(directory_ / "versions"));
  ASSERT_TRUE(write_file(directory_ / "versions/mine", "9; rm -rf /\n"));
  EXPECT_EQ(versions_.version_of(agent("1.5.0")), "1.5.0");
}

}  // namespace
}  // namespace sbx::builds
