// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/input_thread.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <vector>

#include "base/file.h"
#include "base/socket.h"

namespace sbx {
namespace {

// Whether a thread of ours sleeps, as the kernel has it: "(name) S".
bool sleeps(pid_t thread) {
  const auto state = read_file("/proc/self/task/" + std::to_string(thread) + "/stat");
  return state && state->find(") S ") != std::string::npos;
}

// What was read, in the thread, one byte for each call.
struct Heard {
  std::mutex mutex;
  std::condition_variable changed;
  std::string bytes;

  void read_from(int descriptor) {
    char byte = 0;
    if (::recv(descriptor, &byte, 1, MSG_DONTWAIT) != 1) return;
    const std::scoped_lock lock(mutex);
    bytes += byte;
    changed.notify_all();
  }
  std::string await(std::size_t size) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(20), [&] { return bytes.size() >= size; });
    return bytes;
  }
};

TEST(InputThread, CallsForEachDescriptorThatHasInput) {
  Heard heard;
  InputThread thread([&](int descriptor) { heard.read_from(descriptor); });
  const auto first = make_socket_pair();
  const auto second = make_socket_pair();
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(thread.watch(first->ours));
  ASSERT_TRUE(thread.watch(second->ours));
  ASSERT_TRUE(send_all(first->theirs, "a", "send"));
  EXPECT_EQ(heard.await(1), "a");
  ASSERT_TRUE(send_all(second->theirs, "b", "send"));
  EXPECT_EQ(heard.await(2), "ab");
}

TEST(InputThread, MayCloseADescriptorInItsOwnCall) {
  std::atomic<int> calls = 0;
  auto pair = make_socket_pair();
  const auto other = make_socket_pair();
  ASSERT_TRUE(pair && other);
  Heard heard;
  InputThread thread([&](int descriptor) {
    if (descriptor == other->ours.get()) return heard.read_from(descriptor);
    ++calls;
    pair->ours.reset();
  });
  ASSERT_TRUE(thread.watch(pair->ours));
  ASSERT_TRUE(thread.watch(other->ours));
  pair->theirs.reset();  // an EOF, which would be reported for ever
  while (calls == 0) std::this_thread::yield();
  ASSERT_TRUE(send_all(other->theirs, "x", "send"));
  EXPECT_EQ(heard.await(1), "x");
  EXPECT_EQ(calls, 1);
}

TEST(InputThread, CallsNoMoreOnceItIsStopped) {
  Heard heard;
  InputThread thread([&](int descriptor) { heard.read_from(descriptor); });
  const auto pair = make_socket_pair();
  ASSERT_TRUE(pair);
  ASSERT_TRUE(thread.watch(pair->ours));
  thread.stop();
  thread.stop();  // idempotent
  ASSERT_TRUE(send_all(pair->theirs, "late", "send"));
  const std::scoped_lock lock(heard.mutex);
  EXPECT_EQ(heard.bytes, "");
}

TEST(InputThread, WaitsForItsLastCallWithoutHoldingUpWatch) {
  std::mutex own;  // the user's, for what is watched and what its call does
  std::atomic<bool> called = false;
  std::atomic<pid_t> stopper_id = 0;
  InputThread thread([&](int) {
    called = true;
    const std::scoped_lock lock(own);
  });
  const auto first = make_socket_pair();
  const auto second = make_socket_pair();
  ASSERT_TRUE(first && second);
  std::unique_lock lock(own);
  ASSERT_TRUE(thread.watch(first->ours));
  ASSERT_TRUE(send_all(first->theirs, "a", "send"));
  while (!called) std::this_thread::yield();
  std::thread stopper([&] {
    stopper_id = ::gettid();
    thread.stop();
  });
  while (stopper_id == 0 || !sleeps(stopper_id)) std::this_thread::yield();
  auto watched = std::async(std::launch::async, [&] { return thread.watch(second->ours).has_value(); });
  EXPECT_EQ(watched.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  lock.unlock();
  stopper.join();
  EXPECT_TRUE(watched.get());
}

TEST(InputThread, RefusesWhatCannotBeWatched) {
  InputThread thread([](int) {});
  EXPECT_FALSE(thread.watch(Fd()));
}

}  // namespace
}  // namespace sbx
