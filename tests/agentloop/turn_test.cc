// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/turn.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/file.h"
#include "base/text.h"
#include "support/temporary_directory.h"

namespace sbx::agentloop {
namespace {

class TurnTest : public ::testing::Test {
 protected:
  Turn turn(const std::string& script) {
    return {.kept = directory_.path() + "/kept", .command = {"/bin/sh", "-c", script}, .directory = directory_.path()};
  }
  Result<TurnResult> run(const Turn& turn) {
    out_.clear();
    err_.clear();
    return run_turn(
        turn, [this](bool is_error, std::string_view bytes) { (is_error ? err_ : out_) += bytes; },
        [this] { return cancelled_.load(); });
  }
  std::string text_in(const std::string& name) { return read_file(directory_ / name).value_or(""); }
  std::string runs() { return text_in("runs"); }
  std::thread cancel_when_there(const std::string& name) {
    return std::thread([this, name] {
      while (text_in(name).empty()) std::this_thread::yield();
      cancelled_ = true;
    });
  }

  testing::TemporaryDirectory directory_;
  std::string out_;
  std::string err_;
  std::atomic<bool> cancelled_ = false;
};

TEST_F(TurnTest, PassesOnBothOutputsAndTheExitCode) {
  const auto result = run(turn("echo out; echo err >&2; exit 7"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->code, 7);
  EXPECT_EQ(result->end, TurnEnd::kExited);
  EXPECT_EQ(out_, "out\n");
  EXPECT_EQ(err_, "err\n");
}

TEST_F(TurnTest, IsNotRunAgain) {
  const Turn once = turn("echo x >>runs; echo said; exit 3");
  ASSERT_TRUE(run(once));
  const auto again = run(once);
  EXPECT_EQ(again->code, 3);
  EXPECT_EQ(out_, "said\n");
  EXPECT_EQ(runs(), "x\n");
}

TEST_F(TurnTest, IsWaitedForByASecondAsker) {
  const Turn slow = turn("echo x >>runs; while [ ! -e go ]; do sleep 0.02; done; echo end");
  std::thread first([&] {
    (void)run_turn(
        slow, [](bool, std::string_view) {}, [] { return false; });
  });
  while (runs().empty()) std::this_thread::yield();
  std::thread releasing([&] { (void)write_file(directory_.path() + "/go", ""); });
  const auto second = run(slow);
  first.join();
  releasing.join();
  EXPECT_EQ(second->code, 0);
  EXPECT_EQ(out_, "end\n");
  EXPECT_EQ(runs(), "x\n");
}

TEST_F(TurnTest, EndsAProgramAtItsTimeout) {
  Turn hanging = turn("sleep 600");
  hanging.timeout = std::chrono::milliseconds(300);
  EXPECT_EQ(run(hanging)->end, TurnEnd::kTimeout);
}

TEST_F(TurnTest, EndsTheWholeGroup) {
  std::thread cancelling = cancel_when_there("child");
  const auto result = run(turn("trap '' TERM; (trap '' TERM; echo $$ >child; sleep 600) & sleep 600; sleep 600"));
  cancelling.join();
  EXPECT_EQ(result->end, TurnEnd::kCancelled);
  EXPECT_EQ(result->code, 137);
  const auto group = parse_integer(trimmed(read_file(directory_.path() + "/child").value_or("")));
  ASSERT_TRUE(group);
  EXPECT_NE(::kill(static_cast<pid_t>(*group), 0), 0);
}

TEST_F(TurnTest, EndsAProgramThatIsSilent) {
  Turn silent = turn("sleep 600");
  silent.idle = std::chrono::milliseconds(200);
  EXPECT_EQ(run(silent)->end, TurnEnd::kIdle);
}

TEST_F(TurnTest, EndsAProgramThatIsCancelled) {
  std::thread cancelling = cancel_when_there("runs");
  EXPECT_EQ(run(turn("echo x >>runs; sleep 600"))->end, TurnEnd::kCancelled);
  cancelling.join();
}

TEST_F(TurnTest, DoesNotWaitForWhatAProgramLeavesBehind) {
  const auto result = run(turn("sleep 600 & echo $! >left; echo said"));
  EXPECT_EQ(result->code, 0);
  EXPECT_EQ(out_, "said\n");
  const auto left = parse_integer(trimmed(read_file(directory_.path() + "/left").value_or("")));
  ASSERT_TRUE(left);
  ::kill(static_cast<pid_t>(*left), SIGKILL);
}

TEST_F(TurnTest, SaysOfAMissingProgramWhatAShellWould) {
  Turn missing = turn("");
  missing.command = {"/nowhere/agent"};
  EXPECT_EQ(run(missing)->code, 127);
}

TEST_F(TurnTest, OnlyEndsWhatRuns) {
  Turn ending = turn("echo x >>runs");
  ending.only_ends = true;
  EXPECT_EQ(run(ending)->end, TurnEnd::kCancelled);
  EXPECT_EQ(runs(), "");
}

TEST_F(TurnTest, WithoutADirectoryIsRunEachTimeAndKeepsNothing) {
  Turn each = turn("echo x >>runs; echo said");
  each.kept.clear();
  ASSERT_TRUE(run(each));
  ASSERT_TRUE(run(each));
  EXPECT_EQ(out_, "said\n");
  EXPECT_EQ(runs(), "x\nx\n");
}

// In a process of its own, because it becomes the parent of orphans.
TEST_F(TurnTest, EndsTheWholeTree) {
  const std::string script =
      "(setsid sh -c 'trap \"\" TERM HUP; echo $$ >left; while :; do sleep 1; done' &) ; "
      "while [ ! -e left ]; do sleep 0.02; done; while :; do sleep 1; done";
  EXPECT_EXIT(
      {
        Turn tree = turn(script);
        tree.kept.clear();
        tree.whole_tree = true;
        std::thread cancelling = cancel_when_there("left");
        const auto result = run(tree);
        cancelling.join();
        const auto left = parse_integer(trimmed(read_file(directory_.path() + "/left").value_or("0")));
        const bool is_gone = left && *left > 1 && ::kill(static_cast<pid_t>(*left), 0) != 0;
        ::_exit(result && result->end == TurnEnd::kCancelled && is_gone ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

// An agent may leave a server behind, on purpose: it ends with the turn that has started it, and not with a later one.
TEST_F(TurnTest, SparesWhatWasThereBeforeIt) {
  EXPECT_EXIT(
      {
        Turn server = turn(
            "(setsid sh -c 'echo $$ >server; exec sleep 600' >/dev/null 2>&1 &); "
            "while [ ! -s server ]; do sleep 0.02; done");
        server.kept.clear();
        server.whole_tree = true;
        const bool began = run(server).has_value();
        const auto pid = parse_integer(trimmed(read_file(directory_.path() + "/server").value_or("0")));
        Turn hanging = turn("exec sleep 600");
        hanging.kept.clear();
        hanging.whole_tree = true;
        hanging.timeout = std::chrono::milliseconds(300);
        const bool ended = run(hanging)->end == TurnEnd::kTimeout;
        const bool lives = pid && *pid > 1 && ::kill(static_cast<pid_t>(*pid), SIGKILL) == 0;
        ::_exit(began && ended && lives ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(TurnTest, EndsAlthoughWhatItLeftBehindNeverStopsTalking) {
  const auto result = run(turn("(setsid sh -c 'while echo x; do sleep 0.05; done' &); exit 4"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->code, 4);
  EXPECT_EQ(result->end, TurnEnd::kExited);
}

}  // namespace
}  // namespace sbx::agentloop
