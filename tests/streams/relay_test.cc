// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "streams/relay.h"

#include "streams/stream_fixture.h"

namespace sbx::streams {
namespace {

class RelayTest : public StreamTest {
 protected:
  void start(std::string_view first = {}) {
    auto left = make();
    auto right = make();
    left_ = std::move(left.peer);
    right_ = std::move(right.peer);
    relay_ = std::make_unique<Relay>(std::move(left.stream), std::move(right.stream), [this] { ++done_; });
    relay_->pass_to_right(first);
    relay_->start();
  }

  Fd left_;
  Fd right_;
  std::unique_ptr<Relay> relay_;
  int done_ = 0;
};

TEST_F(RelayTest, PassesBothWaysWhatWasReadBeforeFirst) {
  start("early ");
  put(left_, "hello");
  put(right_, "welcome");
  settle();
  EXPECT_EQ(drain(right_), "early hello");
  EXPECT_EQ(drain(left_), "welcome");
  EXPECT_EQ(relay_->to_right(), 11u);
  EXPECT_EQ(relay_->to_left(), 7u);
}

TEST_F(RelayTest, AnEndOfOneSideLeavesTheOtherOpen) {
  start();
  ::shutdown(left_.get(), SHUT_WR);
  settle();
  char byte = 0;
  EXPECT_EQ(::read(right_.get(), &byte, 1), 0);
  EXPECT_EQ(done_, 0);
  put(right_, "answer");
  ::shutdown(right_.get(), SHUT_WR);
  settle();
  EXPECT_EQ(drain(left_), "answer");
  EXPECT_EQ(done_, 1);
}

TEST_F(RelayTest, AnEndThatWasSeenBeforeIsPassedOn) {
  start("question");
  relay_->end_left();
  settle();
  EXPECT_EQ(drain(right_), "question");
  char byte = 0;
  EXPECT_EQ(::read(right_.get(), &byte, 1), 0);
}

TEST_F(RelayTest, ReadsNoFasterThanTheOtherSideTakes) {
  start();
  const std::string piece(64u << 10, 'x');
  std::size_t sent = 0;
  for (int i = 0; i < 1000; ++i) {
    const ssize_t taken = ::send(left_.get(), piece.data(), piece.size(), MSG_NOSIGNAL);
    if (taken > 0) sent += static_cast<std::size_t>(taken);
    settle();
    if (taken < 0) break;
  }
  EXPECT_LT(sent, 8u << 20);
  std::size_t got = 0;
  while (got < sent) {
    got += drain(right_).size();
    settle();
  }
  EXPECT_EQ(got, sent);
}

TEST_F(RelayTest, IsDoneWhenOneSideBreaks) {
  start();
  const std::string much(4u << 20, 'x');
  put(right_, "x");
  left_.reset();
  settle();
  put(right_, "y");
  settle();
  EXPECT_EQ(done_, 1);
}

}  // namespace
}  // namespace sbx::streams
