// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "loop/loop.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

namespace sbx::loop {
namespace {

using std::chrono::milliseconds;

TEST(Loop, TimersRunInTheOrderOfTheirTime) {
  const auto loop = *Loop::create();
  std::string order;
  loop->after(milliseconds(20), [&] {
    order += "c";
    loop->stop();
  });
  loop->after(milliseconds(1), [&] { order += "a"; });
  loop->after(milliseconds(1), [&] { order += "b"; });
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(order, "abc");
}

TEST(Loop, ACancelledTimerDoesNotRun) {
  const auto loop = *Loop::create();
  bool ran = false;
  const auto timer = loop->after(milliseconds(1), [&] { ran = true; });
  loop->after(milliseconds(10), [&] { loop->stop(); });
  loop->cancel(timer);
  ASSERT_TRUE(loop->run());
  EXPECT_FALSE(ran);
}

TEST(Loop, AHandlerMayForgetAnotherThatIsReadyInTheSameRound) {
  const auto loop = *Loop::create();
  const auto a = make_pipe();
  const auto b = make_pipe();
  int calls = 0;
  const auto handler = [&](std::uint32_t) {
    ++calls;
    loop->forget(a->read);
    loop->forget(b->read);
    loop->later([&] { loop->stop(); });
  };
  loop->watch(a->read, EPOLLIN, handler);
  loop->watch(b->read, EPOLLIN, handler);
  ASSERT_TRUE(write_all(a->write, "x"));
  ASSERT_TRUE(write_all(b->write, "x"));
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(calls, 1);
}

TEST(Loop, AHungUpDescriptorThatNobodyAsksAboutDoesNotSpin) {
  const auto loop = *Loop::create();
  auto pipe = make_pipe();
  int calls = 0;
  loop->watch(pipe->read, EPOLLIN, [&](std::uint32_t) { ++calls; });
  loop->change(pipe->read, 0);
  pipe->write.reset();
  loop->after(milliseconds(20), [&] { loop->stop(); });
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(calls, 0);
}

TEST(Loop, SignalsAreDelivered) {
  const auto loop = *Loop::create();
  int number = 0;
  ASSERT_TRUE(loop->on_signals({SIGUSR1}, [&](int n) {
    number = n;
    loop->stop();
  }));
  ::kill(::getpid(), SIGUSR1);
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(number, SIGUSR1);
}

}  // namespace
}  // namespace sbx::loop
