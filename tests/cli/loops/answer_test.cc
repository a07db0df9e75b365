// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/loops/answer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "base/socket.h"

namespace sbx::cli {
namespace {

std::string frame(wire::Kind kind, const std::string& payload) {
  const auto head = wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, kind});
  return std::string(head.data(), head.size()) + payload;
}

const agentloop::IsCancelled kNever = [] { return false; };
SteadyTime in_a_minute() { return steady_now() + std::chrono::minutes(1); }

TEST(Answer, IsWhatTheProgramSaysAndHowItEnds) {
  SocketPair pair = make_socket_pair().value();
  ASSERT_TRUE(write_all(pair.theirs, frame(wire::Kind::kOut, "some") + frame(wire::Kind::kErr, "why") +
                                         frame(wire::Kind::kOut, " words") +
                                         frame(wire::Kind::kExit, R"({"code":3})")));
  const auto answer = answer_of(exchange::ExecStream({std::move(pair.ours), ""}), "input", in_a_minute(), kNever);
  ASSERT_TRUE(answer) << answer.error().what();
  EXPECT_EQ(answer->out, "some words");
  EXPECT_EQ(answer->err, "why");
  EXPECT_EQ(answer->code, 3);
  std::string got(100, 0);
  got.resize(static_cast<std::size_t>(::read(pair.theirs.get(), got.data(), got.size())));
  EXPECT_EQ(got, frame(wire::Kind::kData, "input") + frame(wire::Kind::kEnd, ""));
}

TEST(Answer, OfAProgramThatNeverEndsIsNotWaitedForBeyondItsTime) {
  SocketPair pair = make_socket_pair().value();
  const auto answer = answer_of(exchange::ExecStream({std::move(pair.ours), ""}), "", steady_now(), kNever);
  EXPECT_EQ(answer.error().code(), Code::kTimeout);
  std::string got(100, 0);
  got.resize(static_cast<std::size_t>(::read(pair.theirs.get(), got.data(), got.size())));
  EXPECT_EQ(got, frame(wire::Kind::kSignal, std::string(1, SIGKILL)));
}

TEST(Answer, IsGivenUpWhenItIsCancelled) {
  SocketPair pair = make_socket_pair().value();
  int asked = 0;
  const auto answer =
      answer_of(exchange::ExecStream({std::move(pair.ours), ""}), "", in_a_minute(), [&asked] { return ++asked == 3; });
  EXPECT_EQ(answer.error().code(), Code::kTimeout);
  EXPECT_EQ(asked, 3);
}

TEST(Answer, InputThatIsNotReadIsNotWaitedFor) {
  SocketPair pair = make_socket_pair().value();
  const auto answer =
      answer_of(exchange::ExecStream({std::move(pair.ours), ""}), std::string(8u << 20, 'x'), steady_now(), kNever);
  EXPECT_EQ(answer.error().code(), Code::kTimeout);
}

TEST(Answer, WithoutEndFillsNoMemory) {
  SocketPair pair = make_socket_pair().value();
  const std::string much = frame(wire::Kind::kOut, std::string(wire::kLargestPayload, 'x'));
  std::thread guest([&] {
    while (send_all(pair.theirs, much, "print")) continue;
  });
  const auto answer = answer_of(exchange::ExecStream({std::move(pair.ours), ""}), "", in_a_minute(), kNever);
  guest.join();
  EXPECT_EQ(answer.error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace sbx::cli
