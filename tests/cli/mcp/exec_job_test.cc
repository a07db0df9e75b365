// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/exec_job.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <csignal>

namespace sbx::cli::mcp {
namespace {

using wire::Kind;

// A job whose shim the test plays: it reads what it wants to, when it wants to.
class ExecJobTest : public ::testing::Test {
 protected:
  explicit ExecJobTest(std::size_t most_kept = 1000) {
    SocketPair pair = make_socket_pair().value();
    shim_ = std::move(pair.theirs);
    job_ = std::make_unique<ExecJob>(exchange::ExecStream({std::move(pair.ours), ""}), Fd(::eventfd(0, EFD_CLOEXEC)),
                                     "box", most_kept, [this](std::int64_t group, int number) {
                                       killed_.emplace_back(group, number);
                                       return Ok{};
                                     });
  }
  static ExecJob::Deadline some_time() { return std::chrono::steady_clock::now() + std::chrono::minutes(1); }

  void say(Kind kind, const std::string& payload) {
    const auto head = wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, kind});
    ASSERT_TRUE(write_all(shim_, std::string(head.data(), head.size()) + payload));
  }
  // The command runs, and the job knows its process.
  void open() {
    say(Kind::kOpened, R"({"pid":77})");
    say(Kind::kOut, "ready");
    job_->wait_for_more(0, some_time(), {});
    ASSERT_EQ(job_->output_since(0).out, "ready");
  }
  // More input than any connection holds.
  void fill() { ASSERT_TRUE(job_->write(std::string(8u << 20, 'i'))); }

  struct Frame {
    Kind kind;
    std::string payload;
  };
  Frame hear() {
    std::string head(wire::kHeaderSize, 0);
    EXPECT_EQ(::recv(shim_.get(), head.data(), head.size(), MSG_WAITALL), static_cast<ssize_t>(head.size()));
    const auto header = wire::decode_header(std::span<const char, wire::kHeaderSize>(head.data(), wire::kHeaderSize));
    std::string payload(header->length, 0);
    if (!payload.empty()) ::recv(shim_.get(), payload.data(), payload.size(), MSG_WAITALL);
    return {header->kind, payload};
  }

  Fd shim_;
  std::vector<std::pair<std::int64_t, int>> killed_;
  std::unique_ptr<ExecJob> job_;
};

TEST_F(ExecJobTest, InputIsSentWholeAndInOrder) {
  std::string whole;
  for (const char c : {'a', 'b', 'c'}) {
    whole += std::string(3u << 20, c);
    ASSERT_TRUE(job_->write(std::string(3u << 20, c)));
  }
  ASSERT_TRUE(job_->end_input());
  std::string heard;
  for (;;) {
    const Frame frame = hear();
    if (frame.kind == Kind::kEnd) break;
    ASSERT_EQ(frame.kind, Kind::kData);
    heard += frame.payload;
  }
  EXPECT_TRUE(heard == whole);
  job_->wait_until_sent({});
}

TEST_F(ExecJobTest, ACommandThatDoesNotReadItsInputIsHeardAllTheSame) {
  open();
  fill();
  say(Kind::kErr, "not interested");
  job_->wait_for_more(5, some_time(), {});
  EXPECT_EQ(job_->output_since(0).err, "not interested");
  say(Kind::kExit, R"({"code":3})");
  ASSERT_TRUE(job_->wait_for_end(some_time(), {}));
  EXPECT_EQ((*job_->end())->code, 3);
  EXPECT_EQ(job_->write("more").error().code(), Code::kConflict);
}

TEST_F(ExecJobTest, ASignalOvertakesInputThatIsNotRead) {
  open();
  fill();
  ASSERT_TRUE(job_->signal(SIGKILL));
  EXPECT_EQ(killed_, (std::vector<std::pair<std::int64_t, int>>{{77, SIGKILL}}));
}

TEST_F(ExecJobTest, ASignalGoesByTheConnectionWhileItIsFree) {
  open();
  ASSERT_TRUE(job_->signal(SIGTERM));
  const Frame frame = hear();
  EXPECT_EQ(frame.kind, Kind::kSignal);
  EXPECT_EQ(frame.payload, std::string(1, SIGTERM));
  EXPECT_TRUE(killed_.empty());
}

TEST_F(ExecJobTest, OneWhoWaitsForInputToBeSentCanBeCancelled) {
  fill();
  std::stop_source stop;
  stop.request_stop();
  job_->wait_until_sent(stop.get_token());
}

TEST_F(ExecJobTest, NoMoreThanSoMuchInputWaits) {
  int taken = 0;
  while (job_->write(std::string(1u << 20, 'i'))) ASSERT_LT(++taken, 64);
  EXPECT_EQ(job_->write("more").error().code(), Code::kConflict);
}

TEST_F(ExecJobTest, WhatIsDestroyedKillsItsCommand) {
  open();
  job_.reset();
  EXPECT_EQ(hear().payload, std::string(1, SIGKILL));
}

TEST_F(ExecJobTest, WhatIsDestroyedKillsACommandThatDoesNotRead) {
  open();
  fill();
  job_.reset();
  EXPECT_EQ(killed_, (std::vector<std::pair<std::int64_t, int>>{{77, SIGKILL}}));
}

struct ExecJobThatKeepsMuch : ExecJobTest {
  ExecJobThatKeepsMuch() : ExecJobTest(1u << 20) {}
  // Of one byte each.
  ExecJob::Output after(std::size_t frames, std::initializer_list<Kind> kinds) {
    for (std::size_t said = 0; said < frames;)
      for (const Kind kind : kinds) say(kind, std::to_string(said++ % 10));
    say(Kind::kExit, R"({"code":0})");
    EXPECT_TRUE(job_->wait_for_end(some_time(), {}));
    return job_->output_since(0);
  }
};

TEST_F(ExecJobThatKeepsMuch, JoinsSmallPieces) {
  const std::size_t frames = 5 * ExecJob::kMostPieces;
  const ExecJob::Output output = after(frames, {Kind::kOut});
  EXPECT_EQ(output.lost, 0);
  EXPECT_EQ(output.out.size(), frames);
  EXPECT_EQ(job_->output_since(frames - 5).out, output.out.substr(frames - 5));
}

TEST_F(ExecJobThatKeepsMuch, KeepsOnlySoManyPieces) {
  const ExecJob::Output output = after(ExecJob::kMostPieces + 100, {Kind::kOut, Kind::kErr});
  EXPECT_EQ(output.lost, 100);
  EXPECT_EQ(output.out.size() + output.err.size(), ExecJob::kMostPieces);
}

}  // namespace
}  // namespace sbx::cli::mcp
