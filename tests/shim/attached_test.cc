// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/attached.h"

#include <gtest/gtest.h>

#include <vector>

#include "fake_guest.h"

namespace sbx::shim {
namespace {

using testing::FrameEnd;
using testing::ReadyWorld;
using wire::Kind;

// A client's connection on one side, a guest that the test plays on the other.
class AttachedWorld : public ReadyWorld {
 public:
  AttachedWorld() {
    auto pair = make_socket_pair();
    client_ = std::make_unique<FrameEnd>(std::move(pair->theirs));
    wire::ExecRequest request;
    request.command = {"cat"};
    request.interactive = true;
    attached_ =
        std::make_unique<Attached>(loop(), *guest_, std::move(pair->ours), request, [this](const wire::ExecExit* exit) {
          done_ = true;
          if (exit != nullptr) exit_ = *exit;
          if (!see_off_ || !attached_->may_be_sending()) return attached_.reset();
          attached_->see_off([this] {
            left_ = true;
            attached_.reset();
          });
        });
    end_->hear();
  }

  std::unique_ptr<FrameEnd> client_;
  std::unique_ptr<Attached> attached_;
  bool done_ = false;
  bool see_off_ = false;
  bool left_ = false;
  std::optional<wire::ExecExit> exit_;
};

TEST(Attached, AnswersTheUpgradeAndRelaysBothWays) {
  AttachedWorld world;
  world.client_->say(Kind::kData, 1, "question");
  world.settle();
  const auto asked = world.end_->hear();
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].payload, "question");
  world.end_->say(Kind::kOut, 1, "answer");
  world.end_->say(Kind::kErr, 1, "complaint");
  world.end_->say(Kind::kExit, 1, R"({"code":7})");
  world.settle();
  const auto heard = world.client_->hear();
  EXPECT_TRUE(world.client_->http_head().starts_with("HTTP/1.1 101 "));
  ASSERT_EQ(heard.size(), 3u);
  EXPECT_EQ(heard[0].payload, "answer");
  EXPECT_EQ(heard[1].kind, Kind::kErr);
  EXPECT_EQ(heard[2].kind, Kind::kExit);
  EXPECT_TRUE(world.done_);
  EXPECT_EQ(world.exit_->code, 7);
}

TEST(Attached, AClientThatDoesNotReadGetsNoMoreThanAWindow) {
  AttachedWorld world;
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
  // One window, and what fits into the client's socket.
  EXPECT_LE(sent, 2 * wire::kWindow);
  EXPECT_FALSE(world.lost_);
}

TEST(Attached, AProgramThatDoesNotReadStopsTheClient) {
  AttachedWorld world;
  const std::string piece(64 << 10, 'i');
  const std::string frame = testing::bytes_of(Kind::kData, 1, piece);
  world.settle();
  std::size_t at_guest = 0;
  for (int round = 0; round < 40; ++round) {
    world.client_->say_some(frame);
    world.settle();
    for (const auto& heard : world.end_->hear()) at_guest += heard.payload.size();
  }
  EXPECT_LE(at_guest, std::size_t{wire::kWindow});
  EXPECT_GT(at_guest, 0u);
}

// A client that still sends when the program has ended must be able to: one whose write fails may never read the exit.
TEST(Attached, AClientThatStillSendsIsSeenOff) {
  AttachedWorld world;
  world.see_off_ = true;
  world.client_->say(Kind::kData, 1, "unread");
  world.settle();
  world.end_->say(Kind::kExit, 1, R"({"code":0})");
  world.settle();
  EXPECT_TRUE(world.done_);
  const std::string piece = testing::bytes_of(Kind::kData, 1, std::string(wire::kLargestPayload, 'i'));
  for (int round = 0; round < 100; ++round) {
    world.client_->say_some(round < 8 ? piece : "");
    world.settle();
  }
  EXPECT_TRUE(world.client_->all_said()) << "it is read, and dropped";
  const auto heard = world.client_->hear();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, Kind::kExit);
  EXPECT_FALSE(world.left_);
  world.client_->close();
  world.settle();
  EXPECT_TRUE(world.left_);
  EXPECT_FALSE(world.lost_) << "nothing of it has reached the guest, for which the stream is over";
}

TEST(Attached, AClientWhoseInputHasEndedIsNotSeenOff) {
  AttachedWorld world;
  world.see_off_ = true;
  world.client_->say(Kind::kEnd, 1);
  world.settle();
  world.end_->say(Kind::kExit, 1, R"({"code":0})");
  world.settle();
  EXPECT_TRUE(world.done_);
  EXPECT_EQ(world.attached_, nullptr);
}

TEST(Attached, AClientThatLeavesDoesNotEndTheProgram) {
  AttachedWorld world;
  world.client_->close();
  world.settle();
  EXPECT_TRUE(world.done_);
  EXPECT_FALSE(world.exit_);
  const auto heard = world.end_->hear();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, Kind::kGone);
}

TEST(Attached, FramesThatAClientMayNotSendDoNotReachTheGuest) {
  AttachedWorld world;
  for (const Kind kind : {Kind::kOpen, Kind::kStop, Kind::kCredit, Kind::kConfigure, Kind::kGone, Kind::kExit})
    world.client_->say(kind, 1, "1234");
  world.client_->say(Kind::kSignal, 1, "12");
  world.client_->say(Kind::kResize, 1, "123");
  world.settle();
  EXPECT_TRUE(world.end_->hear().empty());
}

// The guest reads nothing, and many programs are fed at once: what waits for it is a little and not a window of each.
TEST(Attached, StdinOfManyWaitsWhileTheChannelIsBusy) {
  constexpr int kMany = 200;
  ReadyWorld world;
  struct Fed {
    std::unique_ptr<FrameEnd> client;
    std::unique_ptr<Attached> attached;
  };
  std::vector<Fed> all;
  for (int i = 0; i < kMany; ++i) {
    auto pair = make_socket_pair();
    wire::ExecRequest request;
    request.command = {"cat"};
    request.interactive = true;
    all.push_back({std::make_unique<FrameEnd>(std::move(pair->theirs)),
                   std::make_unique<Attached>(world.loop(), *world.guest_, std::move(pair->ours), request,
                                              [](const wire::ExecExit*) {})});
  }
  const std::string piece = testing::bytes_of(Kind::kData, 1, std::string(wire::kLargestPayload, 'i'));
  for (int round = 0; round < 8; ++round) {
    for (Fed& fed : all) fed.client->say_some(round < 2 ? piece : "");
    world.settle();
  }
  EXPECT_FALSE(world.lost_);
  EXPECT_LT(world.guest_->unread(), 4u << 20) << "in the socket's buffer it does not count";
  // It reads after all, and all of it arrives.
  std::size_t arrived = 0;
  for (int round = 0; round < 2000 && arrived < 2 * kMany * std::size_t{wire::kLargestPayload}; ++round) {
    for (Fed& fed : all) fed.client->say_some("");
    world.settle();
    for (const auto& frame : world.end_->hear())
      if (frame.kind == Kind::kData) arrived += frame.payload.size();
  }
  EXPECT_EQ(arrived, 2 * kMany * std::size_t{wire::kLargestPayload});
}

}  // namespace
}  // namespace sbx::shim
