// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/user_ssh_agent.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "base/socket.h"
#include "support/temporary_directory.h"

namespace sbx::sandboxes {
namespace {

class UserSshAgentTest : public ::testing::Test {
 protected:
  std::string why_not(const std::string& path) {
    const auto connected = connect_to_ssh_agent(path);
    return connected ? "" : connected.error().what();
  }

  sbx::testing::TemporaryDirectory directory_;
  std::string path_ = directory_ / "agent";
};

TEST_F(UserSshAgentTest, IsASocketOfTheUsersOnWhichSomethingListens) {
  const Fd listener = *listen_unix(path_);
  EXPECT_EQ(why_not(path_), "");
  EXPECT_TRUE(check_ssh_agent(path_, {}));
}

TEST_F(UserSshAgentTest, IsNothingElse) {
  EXPECT_NE(why_not(path_), "") << "not there";
  ASSERT_TRUE(write_file(path_, "text"));
  EXPECT_NE(why_not(path_).find("that is no socket"), std::string::npos);
  const std::string socket = directory_ / "socket";
  Fd listener = *listen_unix(socket);
  ASSERT_EQ(::symlink(socket.c_str(), (directory_ / "link").c_str()), 0);
  EXPECT_NE(why_not(directory_ / "link"), "") << "a link may lead elsewhere tomorrow";
  listener.reset();
  EXPECT_NE(why_not(socket).find("no agent listens there any more"), std::string::npos);
}

TEST_F(UserSshAgentTest, BelongsToTheUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a socket away";
  const Fd listener = *listen_unix(path_);
  ASSERT_EQ(::chown(path_.c_str(), 65534, 65534), 0);
  EXPECT_NE(why_not(path_).find("it belongs to another user"), std::string::npos);
}

TEST_F(UserSshAgentTest, IsInNoDirectoryThatASandboxCanWriteTo) {
  ASSERT_TRUE(make_directories(directory_ / "shared/below"));
  const std::string inside = directory_ / "shared/below/agent";
  const Fd listener = *listen_unix(inside);
  SharedDirectories shared;
  shared.add(directory_ / "shared", "box");
  const auto checked = check_ssh_agent(inside, shared);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().what().find("sandbox box can write to its directory"), std::string::npos);
  EXPECT_TRUE(check_ssh_agent(inside, {}));
}

}  // namespace
}  // namespace sbx::sandboxes
