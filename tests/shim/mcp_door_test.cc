// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/mcp_door.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>

#include "streams/socket_stream.h"
#include "support/run_loop.h"

namespace sbx::shim {
namespace {

// Programs of the guest's and servers are sockets in the test's hands.
class McpDoorTest : public ::testing::Test {
 protected:
  struct Line {
    Fd near;
    Fd far;
  };
  static Line line() {
    auto pair = make_socket_pair();
    EXPECT_TRUE(set_nonblocking(pair->ours));
    EXPECT_TRUE(set_nonblocking(pair->theirs));
    return {std::move(pair->ours), std::move(pair->theirs)};
  }
  // The program's end of a connection that asks for a server.
  Fd program_for(const std::string& server) {
    Line made = line();
    door_.serve(server, std::make_unique<streams::SocketStream>(*loop_, std::move(made.far)));
    return std::move(made.near);
  }
  std::string heard(const Fd& end) {
    sbx::testing::settle(*loop_);
    std::array<char, 256> buffer;
    const ssize_t n = ::recv(end.get(), buffer.data(), buffer.size(), 0);
    if (n == 0) return "(the end)";
    return n < 0 ? "(nothing)" : std::string(buffer.data(), static_cast<std::size_t>(n));
  }

  std::unique_ptr<loop::Loop> loop_ = std::move(*loop::Loop::create());
  std::vector<wire::McpWanted> wanted_;
  McpDoor door_{*loop_, {"files", "issues"}, [this](const wire::McpWanted& wanted) { wanted_.push_back(wanted); }};
};

TEST_F(McpDoorTest, AProgramSpeaksWithTheEndThatIsBrought) {
  const Fd program = program_for("files");
  ASSERT_EQ(wanted_.size(), 1u);
  EXPECT_EQ(wanted_[0].server, "files");
  ASSERT_TRUE(write_all(program, "question"));
  Line server = line();
  ASSERT_TRUE(door_.connect(wanted_[0], std::move(server.far)));
  EXPECT_EQ(heard(server.near), "question");
  ASSERT_TRUE(write_all(server.near, "answer"));
  EXPECT_EQ(heard(program), "answer");
  server.near.reset();
  EXPECT_EQ(heard(program), "(the end)");
}

TEST_F(McpDoorTest, AServerThatWasNotGrantedIsNotEvenAskedFor) {
  for (const char* server : {"keys", "", "files/../keys", "FILES"}) EXPECT_EQ(heard(program_for(server)), "(the end)");
  EXPECT_TRUE(wanted_.empty());
}

TEST_F(McpDoorTest, ATicketIsForOneLineAndForItsServer) {
  const Fd program = program_for("files");
  EXPECT_FALSE(door_.connect({wanted_[0].ticket, "issues"}, line().far)) << "of an earlier shim";
  EXPECT_FALSE(door_.connect({wanted_[0].ticket + 1, "files"}, line().far));
  ASSERT_EQ(door_.waiting().size(), 1u);
  Line server = line();
  EXPECT_TRUE(door_.connect(wanted_[0], std::move(server.far)));
  EXPECT_FALSE(door_.connect(wanted_[0], line().far));
  EXPECT_TRUE(door_.waiting().empty());
}

TEST_F(McpDoorTest, AServerThatIsTakenBackIsGoneForThoseWhoSpeakAndThoseWhoWait) {
  const Fd speaking = program_for("files");
  Line server = line();
  ASSERT_TRUE(door_.connect(wanted_[0], std::move(server.far)));
  const Fd waiting = program_for("files");
  const Fd other = program_for("issues");
  door_.revoke("files");
  EXPECT_EQ(heard(speaking), "(the end)");
  EXPECT_EQ(heard(server.near), "(the end)") << "so that the server ends, too";
  EXPECT_EQ(heard(waiting), "(the end)");
  EXPECT_FALSE(door_.connect(wanted_[1], line().far)) << "brought by a daemon that asked the record before";
  ASSERT_EQ(door_.waiting().size(), 1u);
  EXPECT_EQ(door_.waiting()[0].server, "issues");
  EXPECT_EQ(heard(other), "(nothing)") << "it waits";
  EXPECT_EQ(heard(program_for("files")), "(the end)");
  EXPECT_EQ(wanted_.size(), 3u) << "the daemon is not even asked";
}

TEST_F(McpDoorTest, NoMoreThanAFewWait) {
  std::vector<Fd> programs;
  for (std::size_t i = 0; i < McpDoor::kMostWaiting + 5; ++i) programs.push_back(program_for("files"));
  EXPECT_EQ(wanted_.size(), McpDoor::kMostWaiting);
  EXPECT_EQ(heard(programs.back()), "(the end)");
  EXPECT_EQ(heard(programs.front()), "(nothing)") << "it waits";
}

}  // namespace
}  // namespace sbx::shim
