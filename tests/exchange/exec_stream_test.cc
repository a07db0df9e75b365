// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "exchange/exec_stream.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "base/socket.h"

namespace sbx::exchange {
namespace {

std::string frame(wire::Kind kind, const std::string& payload) {
  const auto head = wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, kind});
  return std::string(head.data(), head.size()) + payload;
}

// A command that has printed so many times a thousand bytes and ended well.
ExecStream printed(int times) {
  std::string frames;
  for (int i = 0; i < times; ++i) frames += frame(wire::Kind::kOut, std::string(1000, 'x'));
  SocketPair pair = make_socket_pair().value();
  EXPECT_TRUE(write_all(pair.theirs, frames + frame(wire::Kind::kExit, R"({"code":0})")));
  return ExecStream({std::move(pair.ours), ""});
}

TEST(ExecStream, ItsOutputIsReadWhole) {
  EXPECT_EQ(printed(3).read_all(3000)->size(), 3000u);
  EXPECT_EQ(*printed(0).read_all(3000), "");
}

TEST(ExecStream, ItsOutputFitsIntoBuffersOfAnySize) {
  ExecStream stream = printed(2);
  std::string all;
  char buffer[300];
  for (;;) {
    const auto n = stream.read(std::span(buffer));
    ASSERT_TRUE(n) << n.error().what();
    if (*n == 0) break;
    all.append(buffer, *n);
  }
  EXPECT_EQ(all, std::string(2000, 'x'));
}

TEST(ExecStream, AGuestThatPrintsWithoutEndFillsNoMemory) {
  EXPECT_EQ(printed(4).read_all(3000).error().code(), Code::kTooLarge);
}

// All that comes, while what was offered is sent.
std::string taken(ExecStream& stream, const Fd& peer) {
  std::string all;
  EXPECT_TRUE(set_nonblocking(peer));
  for (bool is_last = false; !is_last;) {
    is_last = !stream.is_sending();
    EXPECT_TRUE(stream.wait(std::chrono::milliseconds(0), nullptr));
    std::array<char, 65536> bytes;
    for (ssize_t n = 0; (n = ::read(peer.get(), bytes.data(), bytes.size())) > 0;)
      all.append(bytes.data(), static_cast<std::size_t>(n));
  }
  return all;
}

TEST(ExecStream, WhatIsOfferedWaitsForNoReaderAndKeepsItsOrder) {
  SocketPair pair = make_socket_pair().value();
  ExecStream stream({std::move(pair.ours), ""});
  const std::string piece(60000, 'x');
  std::string expected;
  while (!stream.is_sending()) {
    stream.offer(piece);
    expected += frame(wire::Kind::kData, piece);
  }
  ASSERT_TRUE(stream.signal(SIGTERM));
  expected += frame(wire::Kind::kSignal, std::string(1, SIGTERM));
  ASSERT_TRUE(write_all(pair.theirs, frame(wire::Kind::kOut, "still heard")));
  EXPECT_TRUE(stream.wait(std::chrono::milliseconds(0), nullptr)->output);
  EXPECT_EQ(stream.step().value()->bytes, "still heard");
  EXPECT_TRUE(taken(stream, pair.theirs) == expected);
  stream.offer("");
  EXPECT_EQ(taken(stream, pair.theirs), frame(wire::Kind::kEnd, ""));
}

TEST(ExecStream, ACommandThatHasEndedTakesNoMoreAndStillSaysHow) {
  SocketPair pair = make_socket_pair().value();
  ExecStream stream({std::move(pair.ours), ""});
  ASSERT_TRUE(write_all(pair.theirs, frame(wire::Kind::kExit, R"({"code":3})")));
  pair.theirs.reset();
  stream.offer("more");
  EXPECT_FALSE(stream.is_sending());
  EXPECT_FALSE(*stream.next());
  EXPECT_EQ(stream.exit()->code, 3);
}

TEST(ExecStream, InputIsAskedForOnlyWhenTheLastPieceIsSent) {
  SocketPair pair = make_socket_pair().value();
  SocketPair input = make_socket_pair().value();
  ASSERT_TRUE(write_all(input.theirs, "typed"));
  ExecStream stream({std::move(pair.ours), ""});
  EXPECT_TRUE(stream.wait(std::chrono::milliseconds(0), &input.ours)->input);
  while (!stream.is_sending()) stream.offer(std::string(60000, 'x'));
  EXPECT_FALSE(stream.wait(std::chrono::milliseconds(0), &input.ours)->input);
}

TEST(ExecStream, AGuestThatKeepsPrintingIsGivenUpAtTheDeadline) {
  SocketPair pair = make_socket_pair().value();
  const std::jthread guest([theirs = std::move(pair.theirs)] {
    while (send_all(theirs, frame(wire::Kind::kOut, "x"), "print")) continue;
  });
  ExecStream stream({std::move(pair.ours), ""});
  stream.give_up_at(steady_now() + std::chrono::milliseconds(20));
  EXPECT_EQ(stream.finish().error().code(), Code::kTimeout);
}

TEST(ExecStream, AGuestThatStopsInTheMiddleOfAFrameIsGivenUpAtTheDeadline) {
  SocketPair pair = make_socket_pair().value();
  ASSERT_TRUE(write_all(pair.theirs, frame(wire::Kind::kOut, "whole") + frame(wire::Kind::kOut, "cut").substr(0, 9)));
  ExecStream stream({std::move(pair.ours), ""});
  EXPECT_EQ(stream.read().value(), "whole");
  stream.give_up_at(steady_now() + std::chrono::milliseconds(20));
  EXPECT_EQ(stream.read().error().code(), Code::kTimeout);
}

TEST(ExecStream, AGuestThatDoesNotReadIsGivenUpAtTheDeadline) {
  SocketPair pair = make_socket_pair().value();
  ExecStream stream({std::move(pair.ours), ""});
  stream.give_up_at(steady_now() + std::chrono::milliseconds(20));
  EXPECT_EQ(stream.write(std::string(16u << 20, 'x')).error().code(), Code::kTimeout);
}

}  // namespace
}  // namespace sbx::exchange
