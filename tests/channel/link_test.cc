// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "channel/link.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>

namespace sbx::channel {
namespace {

using wire::Kind;

struct Got {
  Kind kind;
  std::uint32_t stream;
  std::string payload;
};

// A Link on one end of a socket pair, and the raw other end in the test's hands.
class World {
 public:
  World() : loop_(*loop::Loop::create()) {
    auto pair = make_socket_pair();
    raw_ = std::move(pair->theirs);
    link_ = std::make_unique<Link>(
        *loop_, std::move(pair->ours),
        [this](const wire::Header& header, std::string_view payload) {
          got_.push_back({header.kind, header.stream, std::string(payload)});
          if (on_frame_) on_frame_();
        },
        [this](Result<> why) {
          closed_ = std::move(why);
          loop_->stop();
        });
  }
  void until(std::function<bool()> done) {
    on_frame_ = [this, done] {
      if (done()) loop_->stop();
    };
    EXPECT_TRUE(loop_->run());
  }

  std::unique_ptr<loop::Loop> loop_;
  Fd raw_;
  std::unique_ptr<Link> link_;
  std::vector<Got> got_;
  std::optional<Result<>> closed_;
  std::function<void()> on_frame_;
};

std::string frame(Kind kind, std::uint32_t stream, std::string_view payload) {
  const auto header = wire::encode({static_cast<std::uint32_t>(payload.size()), stream, kind});
  return std::string(header.data(), header.size()) + std::string(payload);
}

TEST(Link, FramesArriveWholeHoweverTheyAreCut) {
  World world;
  const std::string bytes =
      frame(Kind::kOut, 3, "hello") + frame(Kind::kErr, 4, "") + frame(Kind::kOut, 3, std::string(70'000, 'z'));
  std::thread sender([&] {
    for (std::size_t at = 0; at < bytes.size(); at += 7)
      (void)write_all(world.raw_, std::string_view(bytes).substr(at, 7));
  });
  world.until([&] { return world.got_.size() == 3; });
  sender.join();
  EXPECT_EQ(world.got_[0].payload, "hello");
  EXPECT_EQ(world.got_[1].kind, Kind::kErr);
  EXPECT_EQ(world.got_[2].payload, std::string(70'000, 'z'));
}

TEST(Link, WhatIsSentTogetherLeavesInOneWrite) {
  World world;
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  const Fd theirs(ends[1]);
  Link link(
      *world.loop_, Fd(ends[0]), [](const wire::Header&, std::string_view) {}, [](Result<>) {});
  {
    const Link::Together outer(link);
    const Link::Together inner(link);
    link.send(Kind::kOpened, 3, "{}");
    link.send(Kind::kExit, 3, "end");
    EXPECT_GT(link.queued(), 0u);
  }
  EXPECT_EQ(link.queued(), 0u);
  std::array<char, 256> packet;
  const ssize_t n = ::read(theirs.get(), packet.data(), packet.size());
  ASSERT_GT(n, 0);
  EXPECT_EQ(std::string(packet.data(), static_cast<std::size_t>(n)),
            frame(Kind::kOpened, 3, "{}") + frame(Kind::kExit, 3, "end"));
}

TEST(Link, ABrokenHeaderClosesWithAnError) {
  World world;
  ASSERT_TRUE(write_all(world.raw_, std::string(12, '\xff')));
  EXPECT_TRUE(world.loop_->run());
  ASSERT_TRUE(world.closed_);
  EXPECT_FALSE(*world.closed_);
}

TEST(Link, TheEndOfTheOtherSideIsACleanClose) {
  World world;
  world.raw_.reset();
  EXPECT_TRUE(world.loop_->run());
  ASSERT_TRUE(world.closed_);
  EXPECT_TRUE(*world.closed_);
}

TEST(Link, WhatTheSocketDoesNotTakeIsQueuedAndArrivesInOrder) {
  World world;
  const std::string piece(wire::kLargestPayload, 'p');
  for (std::uint32_t i = 0; i < 8; ++i) world.link_->send(Kind::kData, i + 1, piece);
  EXPECT_GT(world.link_->queued(), 0u);
  std::string received;
  std::thread reader([&] {
    std::string buffer(1 << 16, 0);
    while (received.size() < 8 * (piece.size() + wire::kHeaderSize)) {
      const ssize_t n = ::read(world.raw_.get(), buffer.data(), buffer.size());
      if (n <= 0) break;
      received.append(buffer.data(), static_cast<std::size_t>(n));
    }
  });
  world.link_->when_drained([&] { world.loop_->stop(); });
  EXPECT_TRUE(world.loop_->run());
  reader.join();
  EXPECT_EQ(world.link_->queued(), 0u);
  std::string expected;
  for (std::uint32_t i = 0; i < 8; ++i) expected += frame(Kind::kData, i + 1, piece);
  EXPECT_TRUE(received == expected);
}

TEST(Link, APeerThatReadsNothingClosesItWhateverItIsSent) {
  for (const Kind kind : {Kind::kConfigure, Kind::kCredit, Kind::kReset, Kind::kOpened, Kind::kData, Kind::kExit}) {
    World world;
    const std::string payload(kind == Kind::kReset ? 0 : 5000, 'p');
    std::size_t most = 0;
    for (std::size_t sent = 0; sent < 2 * kMostUnread; sent += payload.size() + wire::kHeaderSize) {
      world.link_->send(kind, 1, payload);
      most = std::max(most, world.link_->queued());
    }
    EXPECT_LE(most, kMostUnread);
    EXPECT_FALSE(world.closed_) << "not from inside send";
    EXPECT_TRUE(world.loop_->run());
    ASSERT_TRUE(world.closed_);
    EXPECT_FALSE(*world.closed_) << "it is an error";
    EXPECT_EQ(world.link_->queued(), 0u);
  }
}

TEST(Link, WhatAPeerSaidBeforeItWentIsHeard) {
  ::signal(SIGPIPE, SIG_IGN);  // as every program of ours that has a Link
  World world;
  ASSERT_TRUE(write_all(world.raw_, frame(Kind::kSignal, 1, "\x0d")));
  world.raw_.reset();
  const std::string piece(wire::kLargestPayload, 'p');
  for (int i = 0; i < 8; ++i) world.link_->send(Kind::kOut, 1, piece);
  EXPECT_TRUE(world.loop_->run());
  ASSERT_EQ(world.got_.size(), 1u);
  EXPECT_EQ(world.got_[0].kind, Kind::kSignal);
  EXPECT_TRUE(world.closed_);
}

TEST(Link, APausedLinkDeliversNothingUntilItIsResumed) {
  World world;
  world.on_frame_ = [&] { world.link_->pause(); };
  ASSERT_TRUE(write_all(world.raw_, frame(Kind::kData, 1, "a") + frame(Kind::kData, 1, "b")));
  const auto end = world.loop_->after(std::chrono::milliseconds(20), [&] { world.loop_->stop(); });
  EXPECT_TRUE(world.loop_->run());
  EXPECT_EQ(world.got_.size(), 1u);
}

TEST(Link, ResumeDeliversWhatWasAlreadyRead) {
  World world;
  world.on_frame_ = [&] {
    world.link_->pause();
    if (world.got_.size() == 2) return world.loop_->stop();
    world.loop_->later([&] { world.link_->resume(); });
  };
  ASSERT_TRUE(write_all(world.raw_, frame(Kind::kData, 1, "a") + frame(Kind::kData, 1, "b")));
  EXPECT_TRUE(world.loop_->run());
  EXPECT_EQ(world.got_[1].payload, "b");
}

TEST(Link, AHandlerMayDestroyTheLink) {
  World world;
  world.on_frame_ = [&] {
    world.link_.reset();
    world.loop_->stop();
  };
  ASSERT_TRUE(write_all(world.raw_, frame(Kind::kData, 1, "a") + frame(Kind::kData, 1, "b")));
  EXPECT_TRUE(world.loop_->run());
  EXPECT_EQ(world.got_.size(), 1u);
}

}  // namespace
}  // namespace sbx::channel
