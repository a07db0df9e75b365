// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/agent.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

using testing::TemporaryDirectory;

// A system's /etc in a directory of its own.
class Root {
 public:
  Root() {
    EXPECT_TRUE(make_directories(directory_ / "etc/skel/.config", 0755));
    put("etc/passwd", "root:x:0:0::/root:/bin/bash\n");
    put("etc/group", "root:x:0:\nsudo:x:27:");  // without a newline at the end
    put("etc/shadow", "root:*:1::::::\n", 0640);
    put("etc/skel/.profile", "profile");
    put("etc/skel/.config/x", "deep");
  }

  void put(const std::string& name, const std::string& text, unsigned mode = 0644) {
    EXPECT_TRUE(write_file_atomically(directory_ / name, text, mode));
  }
  std::string text(const std::string& name) const { return read_file(directory_ / name).value_or("(none)"); }
  struct stat info(const std::string& name) const {
    struct stat info {};
    EXPECT_EQ(::lstat((directory_ / name).c_str(), &info), 0) << name;
    return info;
  }
  Result<Account> ensure() const { return ensure_agent(directory_.path()); }
  void remove(const std::string& name) const { EXPECT_TRUE(remove_tree(directory_ / name)); }

 private:
  TemporaryDirectory directory_;
};

class Agent : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "giving files to the agent takes root";
  }
};

TEST_F(Agent, IsMadeWhereTheTemplateLacksIt) {
  Root root;
  const auto account = root.ensure();
  ASSERT_TRUE(account) << account.error().what();
  EXPECT_EQ(account->uid, 1000u);
  EXPECT_EQ(root.text("etc/passwd"), "root:x:0:0::/root:/bin/bash\nagent:x:1000:1000::/home/agent:/bin/sh\n");
  EXPECT_EQ(root.text("etc/group"), "root:x:0:\nsudo:x:27:agent\nagent:x:1000:\ndocker:x:998:agent\n");
  EXPECT_EQ(root.text("etc/shadow"), "root:*:1::::::\nagent:*:19000:0:99999:7:::\n");
  EXPECT_EQ(root.info("etc/shadow").st_mode & 07777, 0640u);
  EXPECT_EQ(root.text("etc/sudoers.d/agent"), "#1000 ALL=(ALL:ALL) NOPASSWD:ALL\n");
  EXPECT_EQ(root.info("etc/sudoers.d/agent").st_mode & 07777, 0440u);
  EXPECT_EQ(root.text("home/agent/.config/x"), "deep");
  for (const char* name : {"home/agent", "home/agent/.profile", "home/agent/.config", "home/agent/.config/x"})
    EXPECT_EQ(root.info(name).st_uid, 1000u) << name;
}

TEST_F(Agent, ASecondTimeNothingIsWritten) {
  Root root;
  ASSERT_TRUE(root.ensure());
  const auto before = root.info("etc/passwd").st_ino;
  const auto group = root.info("etc/group").st_ino;
  root.put("home/agent/.profile", "mine");
  ASSERT_TRUE(root.ensure());
  EXPECT_EQ(root.info("etc/passwd").st_ino, before);
  EXPECT_EQ(root.info("etc/group").st_ino, group);
  EXPECT_EQ(root.text("home/agent/.profile"), "mine");
}

TEST_F(Agent, AnExistingUser1000IsTheAgentUnderItsOwnName) {
  Root root;
  root.put("etc/passwd", "ubuntu:x:1000:1000::/home/ubuntu:/bin/zsh\n");
  root.put("etc/group", "ubuntu:x:1000:\nsudo:x:27:someone\n");
  const auto account = root.ensure();
  ASSERT_TRUE(account);
  EXPECT_EQ(account->name, "ubuntu");
  EXPECT_EQ(root.text("etc/passwd"), "ubuntu:x:1000:1000::/home/ubuntu:/bin/zsh\n");
  EXPECT_EQ(root.text("etc/group"), "ubuntu:x:1000:\nsudo:x:27:someone,ubuntu\ndocker:x:998:ubuntu\n");
}

TEST_F(Agent, AnExistingAgentKeepsItsShell) {
  Root root;
  root.put("etc/passwd", "agent:x:1000:1000::/home/agent:/bin/fish\n");
  ASSERT_TRUE(root.ensure());
  EXPECT_EQ(root.text("etc/passwd"), "agent:x:1000:1000::/home/agent:/bin/fish\n");
}

TEST_F(Agent, AListOfAccountsThatCannotBeReadIsNotReplaced) {
  for (const char* name : {"etc/passwd", "etc/group"}) {
    Root root;
    const std::string large = root.text(name) + std::string(1u << 20, '#');
    root.put(name, large);
    EXPECT_FALSE(root.ensure());
    EXPECT_TRUE(root.text(name) == large) << name;
  }
}

TEST_F(Agent, ASystemWithoutEtcGetsOne) {
  Root root;
  root.remove("etc");
  ASSERT_TRUE(root.ensure());
  EXPECT_EQ(root.text("etc/passwd"), "agent:x:1000:1000::/home/agent:/bin/sh\n");
  EXPECT_EQ(root.info("home/agent").st_uid, 1000u);
}

TEST(AgentEdits, AMissingGroupGetsAFreeNumber) {
  EXPECT_EQ(with_group("a:x:27:\n", "sudo", 27), "a:x:27:\nsudo:x:999:\n");
  EXPECT_EQ(with_group("a:x:27:\nb:x:999:\n", "sudo", 27), "a:x:27:\nb:x:999:\nsudo:x:998:\n");
  EXPECT_EQ(with_group("sudo:x:5:\n", "sudo", 27), "sudo:x:5:\n");
}

TEST(AgentEdits, AMemberIsAddedOnce) {
  EXPECT_EQ(with_member("g:x:1:a\nh:x:2:\n", "g", "b"), "g:x:1:a,b\nh:x:2:\n");
  EXPECT_EQ(with_member("g:x:1:a,b\n", "g", "b"), "g:x:1:a,b\n");
  EXPECT_EQ(with_member("g:x:1:\n", "nosuch", "b"), "g:x:1:\n");
}

}  // namespace
}  // namespace sbx::guest
