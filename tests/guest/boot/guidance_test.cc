// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/guidance.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "guest/boot/own_root.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

class Guidance : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(make_directories(directory_ / "home/agent", 0755)); }
  Result<> ensure(const std::string& path) const {
    const Account agent{"agent", ::geteuid() == 0 ? 1000 : ::geteuid(), ::geteuid() == 0 ? 1000 : ::getegid(),
                        "/home/agent", "/bin/sh"};
    return ensure_guidance({path, "the page\n"}, agent, directory_.path());
  }
  std::string text(const std::string& path) const { return read_file(directory_ / path).value_or("(none)"); }
  uid_t owner(const std::string& path) const {
    struct stat info {};
    EXPECT_EQ(::stat((directory_ / path).c_str(), &info), 0);
    return info.st_uid;
  }
  testing::TemporaryDirectory directory_;
};

TEST_F(Guidance, IsWrittenInTheHomeForItsOwner) {
  ASSERT_TRUE(ensure(".config/opencode/AGENTS.md"));
  EXPECT_EQ(text("home/agent/.config/opencode/AGENTS.md"), "the page\n");
  const uid_t agent = ::geteuid() == 0 ? 1000 : ::geteuid();
  for (const char* path : {".config", ".config/opencode", ".config/opencode/AGENTS.md"})
    EXPECT_EQ(owner(std::string("home/agent/") + path), agent) << path;
}

TEST_F(Guidance, IsWrittenOutsideOfTheHome) {
  ASSERT_TRUE(ensure("/etc/claude-code/CLAUDE.md"));
  EXPECT_EQ(text("etc/claude-code/CLAUDE.md"), "the page\n");
}

TEST_F(Guidance, IsNotPutOverAFileThatIsThere) {
  ASSERT_TRUE(write_file(directory_ / "home/agent/AGENTS.md", "mine\n"));
  ASSERT_TRUE(ensure("AGENTS.md"));
  EXPECT_EQ(text("home/agent/AGENTS.md"), "mine\n");
}

// One that was removed does not come back.
TEST_F(Guidance, IsWrittenAtTheFirstStartOnly) {
  const auto root = OwnRoot::open(directory_.path());
  ASSERT_TRUE(root);
  root->end_first_start();
  if (root->is_first_start()) GTEST_SKIP() << "this file system has no attributes of users";
  ASSERT_TRUE(ensure("AGENTS.md"));
  EXPECT_EQ(text("home/agent/AGENTS.md"), "(none)");
}

TEST_F(Guidance, OfAnAgentWithoutAPlaceIsNoFile) {
  ASSERT_TRUE(ensure(""));
  EXPECT_TRUE(names_in(directory_ / "home/agent").empty());
}

// A link that the template put there leads to nothing outside of the root.
TEST_F(Guidance, FollowsNoLinkOut) {
  testing::TemporaryDirectory outside;
  ASSERT_EQ(::symlink(outside.path().c_str(), (directory_ / "home/agent/.codex").c_str()), 0);
  (void)ensure(".codex/AGENTS.md");
  EXPECT_TRUE(names_in(outside.path()).empty());
}

}  // namespace
}  // namespace sbx::guest
