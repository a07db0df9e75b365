// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "channel/connections.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <vector>

#include "streams/stream_fixture.h"
#include "support/run_loop.h"

namespace sbx::channel {
namespace {

using wire::Kind;

constexpr std::uint32_t kFirst = wire::kFirstGuestStream;

using streams::Recorder;

struct Opened {
  std::string request;
  std::unique_ptr<streams::Stream> stream;
};

// One end of the channel with connections and nothing else on it, as Guest and Server have it.
class End {
 public:
  End(loop::Loop& loop, Fd fd, Connections::Side side)
      : link_(
            loop, std::move(fd),
            [this](const wire::Header& header, std::string_view payload) {
              if (broken_) return;
              if (auto taken = connections_.take(header, payload); !taken) broken_ = taken.error().what();
            },
            [this](const Result<>& why) {
              if (!why) broken_ = why.error().what();
            }),
        connections_(loop, link_, side, [this](std::string_view request, std::unique_ptr<streams::Stream> stream) {
          if (request == "nonsense") return Result<>(fail(Code::kInvalid, "nonsense"));
          opened_.push_back({std::string(request), std::move(stream)});
          return Result<>();
        }) {
    link_.when_drained([this] { connections_.link_drained(); });
  }

  Link link_;
  std::vector<Opened> opened_;
  std::optional<std::string> broken_;
  Connections connections_;
};

class Settling {
 public:
  Settling() : loop_(*loop::Loop::create()) {}

  void settle() { testing::settle(*loop_); }

 protected:
  std::unique_ptr<loop::Loop> loop_;
};

// Both ends.
class Pair : public Settling {
 public:
  Pair() {
    auto pair = make_socket_pair();
    host_.emplace(*loop_, std::move(pair->ours), Connections::Side::kHost);
    guest_.emplace(*loop_, std::move(pair->theirs), Connections::Side::kGuest);
  }
  // A connection that the guest has opened: its end, and the host's in host_->opened_.
  std::unique_ptr<streams::Stream> connect() {
    auto stream = guest_->connections_.open(next_++, "{}");
    settle();
    return stream;
  }
  streams::Stream& at_host() { return *host_->opened_.back().stream; }

  std::optional<End> host_;
  std::optional<End> guest_;
  std::uint32_t next_ = kFirst;
};

// The host's end, and a guest's in the test's hands that may lie.
class Liar : public Settling {
 public:
  Liar() {
    auto pair = make_socket_pair();
    const int size = 4 << 20;
    ::setsockopt(pair->theirs.get(), SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
    raw_ = std::move(pair->theirs);
    (void)set_nonblocking(raw_);
    host_.emplace(*loop_, std::move(pair->ours), Connections::Side::kHost);
  }
  void say(Kind kind, std::uint32_t stream, std::string_view payload = {}) {
    const auto header = wire::encode({static_cast<std::uint32_t>(payload.size()), stream, kind});
    ASSERT_TRUE(write_all(raw_, std::string(header.data(), header.size()) + std::string(payload)));
  }
  void say_credit(std::uint32_t stream, std::uint32_t bytes) {
    const auto encoded = wire::encode_u32(bytes);
    say(Kind::kCredit, stream, {encoded.data(), encoded.size()});
  }
  std::vector<wire::Header> hear() {
    std::string piece(1 << 20, 0);
    for (ssize_t n = 0; (n = ::read(raw_.get(), piece.data(), piece.size())) > 0;)
      heard_.append(piece.data(), static_cast<std::size_t>(n));
    std::vector<wire::Header> headers;
    while (heard_.size() >= wire::kHeaderSize) {
      const auto header = wire::decode_header(std::span<const char, wire::kHeaderSize>(heard_.data(), 12));
      if (!header || heard_.size() < wire::kHeaderSize + header->length) break;
      headers.push_back(*header);
      heard_.erase(0, wire::kHeaderSize + header->length);
    }
    return headers;
  }

  Fd raw_;
  std::string heard_;
  std::optional<End> host_;
};

TEST(Connections, BytesAndEndsGoBothWays) {
  Pair pair;
  auto guest = pair.connect();
  ASSERT_EQ(pair.host_->opened_.size(), 1u);
  EXPECT_EQ(pair.host_->opened_[0].request, "{}");
  Recorder at_guest;
  Recorder at_host;
  guest->listen(at_guest);
  pair.at_host().listen(at_host);
  guest->send("ping");
  guest->finish();
  pair.settle();
  EXPECT_EQ(at_host.got, "ping");
  EXPECT_EQ(at_host.ends, 1);
  pair.at_host().send("pong");
  pair.at_host().finish();
  pair.settle();
  EXPECT_EQ(at_guest.got, "pong");
  EXPECT_EQ(at_guest.ends, 1);
  guest.reset();
  pair.settle();
  EXPECT_FALSE(at_host.failure) << "a connection that is over is not reset";
  EXPECT_FALSE(pair.host_->broken_);
  EXPECT_FALSE(pair.guest_->broken_);
}

TEST(Connections, TheHostOpensThemToo) {
  Pair pair;
  auto stream = pair.host_->connections_.open(7, "port");
  stream->send("hello");
  pair.settle();
  ASSERT_EQ(pair.guest_->opened_.size(), 1u);
  EXPECT_EQ(pair.guest_->opened_[0].request, "port");
  Recorder recorder;
  pair.guest_->opened_[0].stream->listen(recorder);
  pair.settle();
  EXPECT_EQ(recorder.got, "hello") << "what came before anybody listened is kept";
}

TEST(Connections, ADestroyedStreamIsAResetAtTheOtherEnd) {
  Pair pair;
  auto guest = pair.connect();
  Recorder recorder;
  pair.at_host().listen(recorder);
  pair.at_host().pause();
  guest.reset();
  pair.settle();
  EXPECT_TRUE(recorder.failure) << "also while paused";
}

TEST(Connections, FramesThatCrossAResetAreIgnored) {
  Pair pair;
  auto guest = pair.connect();
  pair.host_->opened_.clear();
  guest->send("on its way");
  guest->finish();
  pair.settle();
  EXPECT_FALSE(pair.host_->broken_);
  Recorder recorder;
  guest->listen(recorder);
  pair.settle();
  EXPECT_TRUE(recorder.failure) << "told to whoever listens later";
}

TEST(Connections, APausedStreamHoldsAWindowAndTheSenderQueuesTheRest) {
  Pair pair;
  auto guest = pair.connect();
  Recorder at_guest;
  Recorder at_host;
  guest->listen(at_guest);
  pair.at_host().listen(at_host);
  pair.at_host().pause();
  const std::string bytes(3 * wire::kConnectionWindow, 'b');
  guest->send(bytes);
  pair.settle();
  EXPECT_EQ(at_host.got, "");
  EXPECT_EQ(guest->queued(), 2u * wire::kConnectionWindow);
  EXPECT_EQ(at_guest.drains, 0);
  pair.at_host().resume();
  EXPECT_EQ(at_host.got, "") << "never from inside the call";
  pair.settle();
  EXPECT_EQ(at_host.got.size(), bytes.size());
  EXPECT_EQ(guest->queued(), 0u);
  EXPECT_EQ(at_guest.drains, 1);
}

TEST(Connections, AListenerThatPausesGetsTheRestInOrderWhenItResumes) {
  Pair pair;
  auto guest = pair.connect();
  Recorder at_host;
  at_host.on_received = [&] { pair.at_host().pause(); };
  pair.at_host().listen(at_host);
  std::string sent;
  for (int i = 0; i < 1000; ++i) {
    guest->send(std::to_string(i));
    sent += std::to_string(i);
  }
  guest->finish();
  for (int round = 0; round < 10 && at_host.ends == 0; ++round) {
    pair.settle();
    pair.at_host().resume();
  }
  pair.settle();
  EXPECT_EQ(at_host.got, sent);
  EXPECT_EQ(at_host.ends, 1);
}

TEST(Connections, TheEndComesAfterWhatIsQueued) {
  Pair pair;
  auto guest = pair.connect();
  Recorder at_host;
  pair.at_host().listen(at_host);
  const std::string bytes(5 * wire::kConnectionWindow, 'b');
  guest->send(bytes);
  guest->finish();
  EXPECT_GT(guest->queued(), 0u);
  pair.settle();
  EXPECT_EQ(at_host.got.size(), bytes.size());
  EXPECT_EQ(at_host.ends, 1);
}

TEST(Connections, ManyShareTheLinkAndAllOfThemArrive) {
  Pair pair;
  constexpr std::size_t kSize = 300'000;
  std::vector<std::unique_ptr<streams::Stream>> guests;
  std::vector<Recorder> recorders(64);
  for (auto& recorder : recorders) {
    guests.push_back(pair.connect());
    pair.at_host().listen(recorder);
  }
  for (std::size_t i = 0; i < guests.size(); ++i) guests[i]->send(std::string(kSize, static_cast<char>('0' + i)));
  EXPECT_LT(pair.guest_->link_.queued(), 1u << 20) << "an exec would wait behind it";
  for (int round = 0; round < 20; ++round) pair.settle();
  for (std::size_t i = 0; i < recorders.size(); ++i)
    EXPECT_EQ(recorders[i].got, std::string(kSize, static_cast<char>('0' + i)));
}

TEST(Connections, OneThatWaitsForTheLinkMayBeDestroyed) {
  Pair pair;
  std::vector<std::unique_ptr<streams::Stream>> guests;
  for (int i = 0; i < 16; ++i) guests.push_back(pair.connect());
  for (auto& guest : guests) guest->send(std::string(wire::kConnectionWindow, 'x'));
  for (std::size_t i = 1; i < guests.size(); i += 2) guests[i].reset();
  std::vector<Recorder> recorders(guests.size());
  for (std::size_t i = 0; i < guests.size(); ++i) pair.host_->opened_[i].stream->listen(recorders[i]);
  for (int round = 0; round < 10; ++round) pair.settle();
  for (std::size_t i = 0; i < guests.size(); i += 2) EXPECT_EQ(recorders[i].got.size(), wire::kConnectionWindow);
  for (std::size_t i = 1; i < guests.size(); i += 2) EXPECT_TRUE(recorders[i].failure);
}

TEST(Connections, AListenerMayDestroyItsStreamInAnyCall) {
  Pair pair;
  auto guest = pair.connect();
  Recorder at_host;
  at_host.on_received = [&] { pair.host_->opened_.clear(); };
  pair.at_host().listen(at_host);
  guest->send("a");
  guest->send("b");
  pair.settle();
  EXPECT_EQ(at_host.got, "a");
  EXPECT_FALSE(pair.host_->broken_);
}

TEST(Connections, WhenTheLinkIsLostEveryStreamFailsAndMayLiveOn) {
  Pair pair;
  auto guest = pair.connect();
  Recorder recorder;
  guest->listen(recorder);
  pair.guest_->connections_.end(Error(Code::kUnavailable, "gone"));
  EXPECT_EQ(recorder.failure, "gone");
  pair.guest_.reset();
  guest->send("late");
  guest->resume();
  guest->finish();
  EXPECT_EQ(guest->queued(), 0u);
  pair.settle();
}

// Each is something that only a hostile guest would send.
TEST(Connections, ABreachOfTheRulesIsAnError) {
  const std::string window(wire::kConnectionWindow, 'x');
  const std::vector<std::pair<const char*, std::function<void(Liar&)>>> attacks{
      {"a stream that is not open", [](Liar& liar) { liar.say(Kind::kData, kFirst + 1, "x"); }},
      {"a stream of the host's that is not open", [](Liar& liar) { liar.say(Kind::kData, 1, "x"); }},
      {"a number twice", [](Liar& liar) { liar.say(Kind::kConnect, kFirst, "{}"); }},
      {"a number of the host's", [](Liar& liar) { liar.say(Kind::kConnect, 5, "{}"); }},
      {"an accept", [](Liar& liar) { liar.say(Kind::kAccept, kFirst + 1, "{}"); }},
      {"a request that is nonsense", [](Liar& liar) { liar.say(Kind::kConnect, kFirst + 1, "nonsense"); }},
      {"more than the window",
       [&](Liar& liar) {
         liar.say(Kind::kData, kFirst, window);
         liar.say(Kind::kData, kFirst, "x");
       }},
      {"bytes after the end",
       [](Liar& liar) {
         liar.say(Kind::kEnd, kFirst);
         liar.say(Kind::kData, kFirst, "x");
       }},
      {"two ends",
       [](Liar& liar) {
         liar.say(Kind::kEnd, kFirst);
         liar.say(Kind::kEnd, kFirst);
       }},
      {"credit beyond the window", [](Liar& liar) { liar.say_credit(kFirst, 1); }},
      {"credit that overflows", [](Liar& liar) { liar.say_credit(kFirst, 0xffff'ffff); }},
      {"credit of three bytes", [](Liar& liar) { liar.say(Kind::kCredit, kFirst, "abc"); }},
      {"output of an exec", [](Liar& liar) { liar.say(Kind::kOut, kFirst, "x"); }},
      {"an exit of a connection that was",
       [](Liar& liar) {
         liar.say(Kind::kReset, kFirst);
         liar.say(Kind::kExit, kFirst, "{}");
       }},
  };
  for (const auto& [name, attack] : attacks) {
    Liar liar;
    liar.say(Kind::kConnect, kFirst, "{}");
    attack(liar);
    liar.settle();
    EXPECT_TRUE(liar.host_->broken_) << name;
  }
}

TEST(Connections, WhatIsNotReadYetGetsNoCredit) {
  Liar liar;
  liar.say(Kind::kConnect, kFirst, "{}");
  liar.say(Kind::kData, kFirst, std::string(wire::kConnectionWindow, 'x'));
  liar.settle();
  EXPECT_TRUE(liar.hear().empty());
  Recorder recorder;
  liar.host_->opened_[0].stream->listen(recorder);
  liar.settle();
  const auto heard = liar.hear();
  ASSERT_EQ(heard.size(), 1u) << "and then all of it at once";
  EXPECT_EQ(heard[0].kind, Kind::kCredit);
}

TEST(Connections, ManyTinyFramesIntoAPausedStreamArriveWhole) {
  Liar liar;
  liar.say(Kind::kConnect, kFirst, "{}");
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    liar.say(Kind::kData, kFirst, "x");
    if (i % 4096 == 0) liar.settle();
  }
  liar.settle();
  Recorder recorder;
  liar.host_->opened_[0].stream->listen(recorder);
  liar.settle();
  EXPECT_EQ(recorder.got.size(), 100'000u);
}

TEST(Connections, OneTooManyIsResetAndTheOthersLiveOn) {
  Liar liar;
  for (std::uint32_t i = 0; i <= kMostConnections; ++i) {
    liar.say(Kind::kConnect, kFirst + i, "{}");
    if (i % 1000 == 0) liar.settle();
  }
  liar.settle();
  EXPECT_EQ(liar.host_->opened_.size(), kMostConnections);
  const auto heard = liar.hear();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, Kind::kReset);
  EXPECT_EQ(heard[0].stream, kFirst + kMostConnections);
  liar.say(Kind::kData, kFirst + kMostConnections, "it has crossed the reset");
  liar.settle();
  EXPECT_FALSE(liar.host_->broken_);
}

// Otherwise a guest could make the host hold as many as it likes.
TEST(Connections, AResetMakesRoomOnlyWhenItsStreamIsDestroyed) {
  Liar liar;
  for (std::uint32_t i = 0; i < kMostConnections; ++i) {
    liar.say(Kind::kConnect, kFirst + i, "{}");
    liar.say(Kind::kReset, kFirst + i);
    if (i % 1000 == 0) liar.settle();
  }
  liar.say(Kind::kConnect, kFirst + kMostConnections, "{}");
  liar.settle();
  EXPECT_EQ(liar.hear().size(), 1u);
  liar.host_->opened_.clear();
  liar.say(Kind::kConnect, kFirst + kMostConnections + 1, "{}");
  liar.settle();
  EXPECT_EQ(liar.host_->opened_.size(), 1u);
}

TEST(Connections, WhoeverOpensThemAndReadsNoAnswerIsCutOff) {
  Liar liar;
  for (std::uint32_t i = 0; !liar.host_->broken_ && i < 100; ++i) {
    // Whatever else the link carries counts, too: here an exec's input.
    liar.host_->link_.send(Kind::kData, 1, std::string(1 << 18, 'x'));
    liar.host_->link_.send(Kind::kData, 1, std::string(1 << 18, 'x'));
    liar.host_->link_.send(Kind::kData, 1, std::string(1 << 18, 'x'));
    liar.host_->link_.send(Kind::kData, 1, std::string(1 << 18, 'x'));
    liar.say(Kind::kConnect, kFirst + i, "{}");
    liar.settle();
  }
  EXPECT_TRUE(liar.host_->broken_);
}

}  // namespace
}  // namespace sbx::channel
