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
  const auto last = loop->after(milliseconds(20), [&] {
    order += "c";
    loop->stop();
  });
  const auto first = loop->after(milliseconds(1), [&] { order += "a"; });
  const auto second = loop->after(milliseconds(1), [&] { order += "b"; });
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(order, "abc");
}

TEST(Loop, ATimerThatIsCancelledReplacedOrDestroyedDoesNotRun) {
  const auto loop = *Loop::create();
  std::string ran;
  auto cancelled = loop->after(milliseconds(1), [&] { ran += "cancelled"; });
  auto replaced = loop->after(milliseconds(1), [&] { ran += "replaced"; });
  {
    const auto destroyed = loop->after(milliseconds(1), [&] { ran += "destroyed"; });
  }
  const auto end = loop->after(milliseconds(10), [&] { loop->stop(); });
  cancelled.cancel();
  EXPECT_FALSE(cancelled);
  replaced = loop->after(milliseconds(1), [&] { ran += "the new one"; });
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(ran, "the new one");
}

TEST(Loop, ATimerIsOneUntilItsCallIsMade) {
  const auto loop = *Loop::create();
  Loop::Timer timer;
  EXPECT_FALSE(timer);
  bool was_due = true;
  timer = loop->after(milliseconds(1), [&] {
    was_due = static_cast<bool>(timer);
    loop->stop();
  });
  const Loop::Timer moved = std::move(timer);
  timer = Loop::Timer();
  EXPECT_TRUE(moved);
  ASSERT_TRUE(loop->run());
  EXPECT_FALSE(moved);
  EXPECT_FALSE(was_due);
}

TEST(Loop, ATimersCallMaySetTheTimerAgain) {
  const auto loop = *Loop::create();
  Loop::Timer timer;
  int calls = 0;
  std::function<void()> again = [&] {
    if (++calls == 3) return loop->stop();
    timer = loop->after(milliseconds(0), again);
  };
  timer = loop->after(milliseconds(0), again);
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(calls, 3);
}

TEST(Loop, WhatIsDiscardedIsDestroyedAfterTheRound) {
  struct Object {
    ~Object() { log += "destroyed "; }
    std::string& log;
  };
  const auto loop = *Loop::create();
  std::string log;
  const auto begin = loop->after(milliseconds(0), [&] {
    loop->discard(std::make_unique<Object>(log));
    log += "discarded ";
    loop->later([&] { loop->stop(); });
  });
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(log, "discarded destroyed ");
}

TEST(Loop, ALoopThatEndsDestroysWhatWasDiscarded) {
  auto loop = *Loop::create();
  struct Watching {
    explicit Watching(Loop& with) : loop(with) {
      loop.watch(pipe.read, EPOLLIN, [](std::uint32_t) {});
    }
    ~Watching() { loop.forget(pipe.read); }
    Loop& loop;
    Pipe pipe = *make_pipe();
    Loop::Timer timer = loop.after(std::chrono::hours(1), [] {});
  };
  loop->discard(std::make_unique<Watching>(*loop));
  loop.reset();
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
  const auto end = loop->after(milliseconds(20), [&] { loop->stop(); });
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
