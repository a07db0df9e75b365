// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/rounds.h"

#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>

namespace sbx::sandboxes {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(Rounds, AreDoneAtTheStartAndWhenSomethingChanges) {
  std::counting_semaphore<> done(0);
  Rounds rounds([&]() -> milliseconds {
    done.release();
    return hours(1);
  });
  EXPECT_FALSE(done.try_acquire());
  rounds.start();
  done.acquire();
  rounds.look_again();
  done.acquire();
}

TEST(Rounds, AreDoneWhenTheTimeComesThatTheLastOneNamed) {
  std::counting_semaphore<> done(0);
  Rounds rounds([&]() -> milliseconds {
    done.release();
    return milliseconds(1);
  });
  rounds.start();
  for (int i = 0; i < 3; ++i) done.acquire();
}

TEST(Rounds, StopWaitsForTheOneUnderWayAndThereIsNoneAfterIt) {
  std::binary_semaphore begun(0);
  std::atomic<bool> stopping = false;
  std::atomic<int> ended = 0;
  Rounds rounds([&]() -> milliseconds {
    begun.release();
    while (!stopping) std::this_thread::yield();
    ++ended;
    return hours(1);
  });
  rounds.start();
  begun.acquire();
  stopping = true;
  rounds.stop();
  EXPECT_EQ(ended, 1);
  rounds.look_again();
  EXPECT_EQ(ended, 1);
}

TEST(Rounds, ThatWereNeverStartedCanBeStopped) {
  Rounds rounds([] { return milliseconds(0); });
  rounds.stop();
}

}  // namespace
}  // namespace sbx::sandboxes
