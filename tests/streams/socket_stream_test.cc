// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "streams/socket_stream.h"

#include "streams/stream_fixture.h"

namespace sbx::streams {
namespace {

TEST_F(StreamTest, TellsWhatComesAndTheEnd) {
  auto [stream, peer] = make();
  stream->listen(recorder_);
  put(peer, "hello");
  settle();
  ::shutdown(peer.get(), SHUT_WR);
  settle();
  EXPECT_EQ(recorder_.got, "hello");
  EXPECT_EQ(recorder_.ends, 1);
  stream->send("still");
  EXPECT_EQ(drain(peer), "still");
}

TEST_F(StreamTest, TellsNothingWhilePaused) {
  auto [stream, peer] = make();
  stream->listen(recorder_);
  stream->pause();
  put(peer, "hello");
  ::shutdown(peer.get(), SHUT_WR);
  settle();
  EXPECT_EQ(recorder_.got, "");
  EXPECT_EQ(recorder_.ends, 0);
  stream->resume();
  settle();
  EXPECT_EQ(recorder_.got, "hello");
  EXPECT_EQ(recorder_.ends, 1);
}

TEST_F(StreamTest, APeerThatIsGoneIsHeardOutAfterAPause) {
  auto [stream, peer] = make();
  stream->listen(recorder_);
  stream->pause();
  put(peer, "last words");
  peer.reset();
  settle();
  stream->resume();
  settle();
  EXPECT_EQ(recorder_.got, "last words");
}

TEST_F(StreamTest, QueuesWhatIsNotTakenAndTellsWhenItHasLeft) {
  auto [stream, peer] = make();
  stream->listen(recorder_);
  const std::string much(4u << 20, 'x');
  stream->send(much);
  stream->finish();
  stream->send("not any more");
  EXPECT_GT(stream->queued(), 0u);
  std::string got;
  while (got.size() < much.size()) {
    got += drain(peer);
    settle();
  }
  EXPECT_EQ(got, much);
  EXPECT_EQ(stream->queued(), 0u);
  EXPECT_EQ(recorder_.drains, 1);
  char byte = 0;
  EXPECT_EQ(::read(peer.get(), &byte, 1), 0);  // its end
}

TEST_F(StreamTest, FailsOnceWhenThePeerIsGone) {
  auto [stream, peer] = make();
  stream->listen(recorder_);
  stream->pause();
  peer.reset();
  stream->send("x");
  EXPECT_FALSE(recorder_.failure);  // not from inside the call
  settle();
  EXPECT_TRUE(recorder_.failure);
}

TEST_F(StreamTest, MayBeDestroyedByItsListener) {
  auto pair = make();
  pair.stream->listen(recorder_);
  recorder_.on_received = [&pair] { pair.stream.reset(); };
  put(pair.peer, "hello");
  settle();
  char byte = 0;
  EXPECT_EQ(::read(pair.peer.get(), &byte, 1), 0);
}

}  // namespace
}  // namespace sbx::streams
