// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/piped.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>

#include "base/file.h"
#include "fake_guest.h"
#include "support/temporary_directory.h"

namespace sbx::shim {
namespace {

using testing::ReadyWorld;
using wire::Kind;

// A client's socket on one side, a guest that the test plays on the other.
class PipedWorld : public ReadyWorld {
 public:
  PipedWorld() {
    auto pair = make_socket_pair();
    client_ = std::move(pair->theirs);
    EXPECT_TRUE(set_nonblocking(client_));
    EXPECT_TRUE(set_nonblocking(pair->ours));
    wire::ExecRequest request;
    request.command = {"serve"};
    request.interactive = true;
    piped_ = std::make_unique<Piped>(loop(), *guest_, log_, std::move(pair->ours), request,
                                     [this](const wire::ExecExit& exit) {
                                       exit_ = exit;
                                       piped_.reset();
                                     });
    settle();
    end_->hear();
  }
  std::string heard() {
    settle();
    std::string buffer(1 << 16, 0);
    const ssize_t n = ::recv(client_.get(), buffer.data(), buffer.size(), 0);
    if (n == 0) return "(the end)";
    return n < 0 ? "(nothing)" : buffer.substr(0, static_cast<std::size_t>(n));
  }

  sbx::testing::TemporaryDirectory directory_;
  OutputLog log_{*open_path(directory_ / "output.log", O_RDWR | O_CREAT | O_APPEND)};
  Fd client_;
  std::unique_ptr<Piped> piped_;
  std::optional<wire::ExecExit> exit_;
};

TEST(Piped, BytesGoBothWaysAsTheyAreAndComplaintsIntoTheLog) {
  PipedWorld world;
  ASSERT_TRUE(write_all(world.client_, "question"));
  world.settle();
  const auto asked = world.end_->hear();
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].kind, Kind::kData);
  EXPECT_EQ(asked[0].payload, "question");
  world.end_->say(Kind::kErr, 1, "complaint");
  world.end_->say(Kind::kOut, 1, "answer");
  EXPECT_EQ(world.heard(), "answer");
  EXPECT_NE(read_file(world.directory_ / "output.log")->find("complaint"), std::string::npos);
  world.end_->say(Kind::kExit, 1, R"({"code":3})");
  EXPECT_EQ(world.heard(), "(the end)");
  ASSERT_TRUE(world.exit_);
  EXPECT_EQ(world.exit_->code, 3);
}

TEST(Piped, TheProgramsInputEndsWithTheClients) {
  PipedWorld world;
  ASSERT_TRUE(write_all(world.client_, "last"));
  ::shutdown(world.client_.get(), SHUT_WR);
  world.settle();
  const auto heard = world.end_->hear();
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[0].payload, "last");
  EXPECT_EQ(heard[1].kind, Kind::kEnd);
  world.end_->say(Kind::kOut, 1, "still said");
  EXPECT_EQ(world.heard(), "still said");
}

TEST(Piped, AClientThatIsGoneEndsTheProgramAndItsOutputIsDropped) {
  PipedWorld world;
  world.client_.reset();
  world.settle();
  const auto heard = world.end_->hear();
  ASSERT_FALSE(heard.empty());
  EXPECT_EQ(heard.back().kind, Kind::kEnd);
  world.end_->say(Kind::kOut, 1, "to no one");
  world.end_->say(Kind::kExit, 1, R"({"code":0})");
  world.settle();
  EXPECT_TRUE(world.exit_);
}

// The payloads of the signals that the guest was sent.
std::vector<std::string> signals_in(const std::vector<testing::Frame>& frames) {
  std::vector<std::string> signals;
  for (const auto& frame : frames)
    if (frame.kind == Kind::kSignal) signals.push_back(frame.payload);
  return signals;
}

TEST(Piped, AProgramThatOutlivesItsInputIsAskedToEndAndThenKilled) {
  PipedWorld world;
  ::shutdown(world.client_.get(), SHUT_WR);
  world.settle();
  world.pass(std::chrono::seconds(4));
  EXPECT_TRUE(signals_in(world.end_->hear()).empty());
  world.pass(std::chrono::seconds(2));
  EXPECT_EQ(signals_in(world.end_->hear()), std::vector{std::string(1, SIGTERM)});
  world.pass(std::chrono::seconds(5));
  EXPECT_EQ(signals_in(world.end_->hear()), std::vector{std::string(1, SIGKILL)});
}

TEST(Piped, AClientThatDoesNotReadGetsNoMoreThanAWindow) {
  PipedWorld world;
  const std::string piece(wire::kLargestPayload, 'o');
  std::uint32_t sent = 0;
  std::uint32_t may_send = wire::kWindow;
  for (int round = 0; round < 50; ++round) {
    while (may_send >= piece.size()) {
      world.end_->say(Kind::kOut, 1, piece);
      may_send -= wire::kLargestPayload;
      sent += wire::kLargestPayload;
    }
    world.settle();
    for (const auto& frame : world.end_->hear())
      if (frame.kind == Kind::kCredit) may_send += *wire::decode_u32(frame.payload);
  }
  EXPECT_LE(sent, 2 * wire::kWindow);
  EXPECT_FALSE(world.lost_);
}

// It has 2 s to read what the program has said, and could send for as long.
TEST(Piped, WhatAClientSendsAfterTheProgramsEndIsNotHeld) {
  PipedWorld world;
  const std::string piece(wire::kLargestPayload, 'o');
  for (std::uint32_t sent = 0; sent + piece.size() <= wire::kWindow; sent += wire::kLargestPayload)
    world.end_->say(Kind::kOut, 1, piece);
  world.settle();
  world.end_->say(Kind::kExit, 1, R"({"code":0})");
  world.settle();
  ASSERT_FALSE(world.exit_) << "there must be more than the client's socket takes";
  std::size_t taken = 0;
  for (int round = 0; round < 1000; ++round) {
    const ssize_t n = ::send(world.client_.get(), piece.data(), piece.size(), MSG_NOSIGNAL);
    if (n > 0) taken += static_cast<std::size_t>(n);
    world.settle();
  }
  EXPECT_LT(taken, std::size_t{4} << 20) << "what the socket's buffers take";
}

}  // namespace
}  // namespace sbx::shim
