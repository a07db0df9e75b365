// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "blobs/service.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <deque>

#include "base/socket.h"
#include "blobs/process.h"
#include "support/run_loop.h"
#include "support/temporary_directory.h"

// A cache in a process of its own, as a shim starts it, with the test as its shim.
namespace sbx::blobs {
namespace {

using sbx::testing::run_until;

class ServiceTest : public ::testing::Test {
 protected:
  struct Said {
    Answer answer;
    Fd attached;
  };

  void SetUp() override {
    ASSERT_EQ(::chmod(home_.path().c_str(), 0755), 0);
    auto started = start({directory(), 1u << 20, ::geteuid() == 0 ? 0x6fffffffu : 0u});
    ASSERT_TRUE(started) << started.error().what();
    pid_ = started->pid;
    shim_ = std::make_unique<gate::Line>(
        *loop_, std::move(started->line),
        [this](std::string_view bytes, Fd attached) {
          said_.push_back({*decode_answer(bytes), std::move(attached)});
        },
        [this] { has_ended_ = true; });
  }
  void TearDown() override {
    shim_.reset();
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  std::string directory() const { return home_ / "blobs"; }

  Said ask(const BlobId& id) {
    shim_->send(encode(Ask{++ticket_, id}));
    EXPECT_TRUE(run_until(*loop_, [this] { return !said_.empty(); }));
    Said said = std::move(said_.front());
    said_.pop_front();
    EXPECT_EQ(said.answer.ticket, ticket_);
    return said;
  }
  // Sends it, and waits until it is decided.
  void give(const Fd& socket, std::uint64_t size, std::string_view content) {
    ASSERT_TRUE(set_nonblocking(socket, false));
    ASSERT_TRUE(send_all(socket, size_prefix(size), "send"));
    (void)send_all(socket, content, "send");
    ::shutdown(socket.get(), SHUT_WR);
    EXPECT_EQ(*read_all(socket, 1), "");
  }
  static BlobId blob(const std::string& content) { return {"https://registry.test:443", digest::sha256_of(content)}; }

  sbx::testing::TemporaryDirectory home_;
  std::unique_ptr<loop::Loop> loop_ = *loop::Loop::create();
  std::unique_ptr<gate::Line> shim_;
  std::deque<Said> said_;
  Ticket ticket_ = 0;
  pid_t pid_ = -1;
  bool has_ended_ = false;
};

TEST_F(ServiceTest, KeepsWhatItIsSentAndGivesItBack) {
  const std::string content(300'000, 'x');
  const Said first = ask(blob(content));
  EXPECT_FALSE(first.answer.size);
  give(first.attached, content.size(), content);
  const Said second = ask(blob(content));
  EXPECT_EQ(second.answer.size, content.size());
  EXPECT_EQ(*read_all(second.attached, 1u << 20), content);
}

TEST_F(ServiceTest, TheFileThatItGivesCannotBeWrittenTo) {
  give(ask(blob("a layer")).attached, 7, "a layer");
  const Said found = ask(blob("a layer"));
  EXPECT_FALSE(write_all(found.attached, "x"));
}

TEST_F(ServiceTest, KeepsNothingWithAnotherDigest) {
  give(ask(blob("a layer")).attached, 7, "a liar!");
  EXPECT_FALSE(ask(blob("a layer")).answer.size);
}

TEST_F(ServiceTest, KeepsNothingThatIsBrokenOff) {
  give(ask(blob("a layer")).attached, 7, "a lay");
  EXPECT_FALSE(ask(blob("a layer")).answer.size);
}

TEST_F(ServiceTest, RefusesWhatThereIsNoRoomFor) {
  const Said absent = ask(blob("huge"));
  give(absent.attached, 2u << 20, "h");
  EXPECT_EQ(names_in(directory()), std::vector<std::string>{"lock"});
}

TEST_F(ServiceTest, TakesOnlySoManyAtOnce) {
  std::vector<Said> open;
  for (int i = 0; i < 64; ++i) {
    open.push_back(ask(blob(std::to_string(i))));
    EXPECT_TRUE(open.back().attached);
  }
  EXPECT_FALSE(ask(blob("one more")).attached);
}

TEST_F(ServiceTest, EndsWithAShimThatSpeaksNonsense) {
  shim_->send("nonsense");
  EXPECT_TRUE(run_until(*loop_, [this] { return has_ended_; }));
}

}  // namespace
}  // namespace sbx::blobs
