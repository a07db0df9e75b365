// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/spare.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "guest/waiting_spare.h"
#include "support/run_loop.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

using testing::waiting_spare;
using wire::ExecRequest;

ExecRequest usual_exec(const std::string& script) {
  ExecRequest request;
  request.command = {"sh", "-c", script};
  return request;
}

class WithSpare : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "a spare changes its user, which takes root";
    ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
    config_.name = "box";
    config_.workspace = directory_ / "work";
    ASSERT_TRUE(make_directories(config_.workspace, 0755));
    loop_ = std::move(*loop::Loop::create());
    spare_ = std::move(*Spare::create(*loop_, config_, descriptors_, [] {}));
  }

  void TearDown() override {
    spare_.reset();
    while (::waitpid(-1, nullptr, 0) > 0) continue;
  }

  void until(const std::function<bool()>& condition) {
    ASSERT_TRUE(testing::run_until(*loop_, condition)) << "it never happened";
  }

  void make_ready() {
    spare_->make();
    until([this] { return spare_->ready_for(usual_exec("")); });
  }

  struct Outcome {
    bool started = false;
    std::string output;
    Exit exit;
  };
  // As a session does it: the process is reaped in any case.
  Outcome launched(const ExecRequest& request) {
    auto output = std::move(*make_pipe());
    Ends ends{std::move(*open_path("/dev/null", O_RDONLY)), std::move(*duplicate(output.write)),
              std::move(output.write)};
    std::optional<bool> started;
    const pid_t pid =
        spare_->launch(request, std::move(ends), [&](const Spare::Outcome& outcome) { started = outcome.started; });
    EXPECT_GT(pid, 0);
    until([&] { return started.has_value(); });
    return {started.value_or(false), read_all(output.read, 1u << 20).value_or(""), reaped(pid)};
  }

  static Exit reaped(pid_t pid) {
    int status = 0;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    return Exit::from_wait_status(status);
  }

  testing::TemporaryDirectory directory_;
  wire::GuestConfig config_;
  DescriptorLimit descriptors_;
  std::unique_ptr<loop::Loop> loop_;
  std::unique_ptr<Spare> spare_;
};

TEST_F(WithSpare, RunsTheProgramAsTheAgentInTheWorkspace) {
  make_ready();
  const Outcome outcome = launched(usual_exec("id -u; pwd; echo $SANDBOX_NAME; exit 7"));
  EXPECT_TRUE(outcome.started);
  EXPECT_EQ(outcome.output, "1000\n" + config_.workspace + "\nbox\n");
  EXPECT_EQ(outcome.exit.code, 7);
}

TEST_F(WithSpare, TheProgramHasASessionThreeDescriptorsAndNoCapability) {
  make_ready();
  const Outcome outcome = launched(
      usual_exec("[ $$ = $(ps -o sid= -p $$) ] && echo leads; for n in $(seq 3 99); do [ -e /proc/self/fd/$n ] && "
                 "echo has $n; done;"
                 "grep CapEff /proc/self/status; umask"));
  EXPECT_EQ(outcome.output, "leads\nCapEff:\t0000000000000000\n0022\n");
}

TEST_F(WithSpare, AnExecThatIsNotTheUsualOneIsNotForIt) {
  make_ready();
  ExecRequest request = usual_exec("true");
  EXPECT_TRUE(spare_->ready_for(request));
  request.user = "root";
  EXPECT_FALSE(spare_->ready_for(request));
  request = usual_exec("true");
  request.tty = true;
  EXPECT_FALSE(spare_->ready_for(request));
  request = usual_exec("true");
  request.directory = "/";
  EXPECT_FALSE(spare_->ready_for(request));
  request = usual_exec("true");
  request.privileged = true;
  EXPECT_FALSE(spare_->ready_for(request));
  request = usual_exec("true");
  request.builtin = wire::Builtin::kStat;
  EXPECT_FALSE(spare_->ready_for(request));
}

TEST_F(WithSpare, AProgramThatCannotBeRunIsLeftToTheOrdinaryWay) {
  ASSERT_TRUE(write_file(config_.workspace + "/garbage", "\x7f", 0755));
  ASSERT_EQ(::chmod((config_.workspace + "/garbage").c_str(), 0755), 0);
  for (const char* name : {"no-such-program", "./garbage", "/etc/passwd", "/"}) {
    make_ready();
    ExecRequest request;
    request.command = {name};
    EXPECT_FALSE(launched(request).started) << name;
  }
}

TEST_F(WithSpare, ItDoesNotStandInADirectoryThatIsNoMoreTheWorkspace) {
  make_ready();
  ASSERT_EQ(::rename(config_.workspace.c_str(), (directory_ / "old").c_str()), 0);
  ASSERT_TRUE(make_directories(config_.workspace, 0755));
  EXPECT_FALSE(launched(usual_exec("pwd")).started);
}

Ends nowhere() {
  return {std::move(*open_path("/dev/null", O_RDONLY)), std::move(*open_path("/dev/null", O_WRONLY)),
          std::move(*open_path("/dev/null", O_WRONLY))};
}

TEST_F(WithSpare, WhoeverReapsTheProgramFirstIsToldTheOutcomeThen) {
  make_ready();
  const pid_t pid =
      spare_->launch(usual_exec("exit 3"), nowhere(), [](const Spare::Outcome&) { FAIL() << "told twice"; });
  EXPECT_EQ(reaped(pid).code, 3);
  EXPECT_TRUE(spare_->conclude().started);
  make_ready();  // and the next one is made at once
  ExecRequest missing;
  missing.command = {"no-such-program"};
  (void)reaped(spare_->launch(missing, nowhere(), [](const Spare::Outcome&) { FAIL() << "told twice"; }));
  EXPECT_FALSE(spare_->conclude().started);
}

TEST_F(WithSpare, OneThatIsInTheMakingIsWaitedFor) {
  EXPECT_FALSE(spare_->coming_for(usual_exec("true")));
  spare_->make();
  ASSERT_TRUE(spare_->coming_for(usual_exec("true")));
  bool called = false;
  spare_->wait([&] { called = true; });
  EXPECT_FALSE(spare_->coming_for(usual_exec("true"))) << "by one at a time";
  until([&] { return called; });
  EXPECT_TRUE(launched(usual_exec("true")).started);
}

TEST_F(WithSpare, WhoeverWaitsIsCalledWhenItIsDismissed) {
  spare_->make();
  bool called = false;
  spare_->wait([&] { called = true; });
  spare_->dismiss();
  EXPECT_TRUE(called);
  EXPECT_FALSE(spare_->ready_for(usual_exec("true")));
}

TEST_F(WithSpare, OneThatWasReapedIsNotReadyForAnything) {
  make_ready();
  const pid_t pid = waiting_spare();
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  EXPECT_EQ(reaped(pid).signal, SIGKILL);
  spare_->reaped();
  EXPECT_FALSE(spare_->ready_for(usual_exec("true")));
  until([this] { return spare_->ready_for(usual_exec("")); });
}

TEST_F(WithSpare, AnOrderForOneThatWasKilledIsNotCarriedOutByTheNext) {
  make_ready();
  const pid_t pid = waiting_spare();
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  std::optional<bool> started;
  spare_->launch(usual_exec("true"), nowhere(), [&](const Spare::Outcome& outcome) { started = outcome.started; });
  EXPECT_EQ(reaped(pid).signal, SIGKILL);
  until([&] { return started.has_value(); });
  make_ready();
  EXPECT_EQ(launched(usual_exec("echo mine")).output, "mine\n");
}

TEST_F(WithSpare, AnotherOneFollowsByItself) {
  make_ready();
  EXPECT_TRUE(launched(usual_exec("true")).started);
  until([this] { return spare_->ready_for(usual_exec("")); });
  EXPECT_TRUE(launched(usual_exec("true")).started);
}

TEST_F(WithSpare, AKilledOneIsReplaced) {
  make_ready();
  const pid_t pid = waiting_spare();
  ASSERT_GT(pid, 0);
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  EXPECT_EQ(reaped(pid).signal, SIGKILL);
  spare_->reaped();
  until([&] { return spare_->ready_for(usual_exec("")) && waiting_spare() != 0 && waiting_spare() != pid; });
  EXPECT_TRUE(launched(usual_exec("true")).started);
}

TEST_F(WithSpare, NobodyButRootMayLookIntoTheOneThatWaits) {
  make_ready();
  const pid_t pid = waiting_spare();
  ASSERT_GT(pid, 0);
  const std::string directory = "/proc/" + std::to_string(pid);
  EXPECT_NE(read_file(directory + "/status")->find("Uid:\t1000\t1000\t1000\t1000\n"), std::string::npos);
  struct stat info {};
  ASSERT_EQ(::stat((directory + "/fd").c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, 0u);  // what the kernel does for processes that are not to be traced
}

TEST_F(WithSpare, ADismissedOneEnds) {
  make_ready();
  spare_->dismiss();
  EXPECT_FALSE(spare_->ready_for(usual_exec("")));
  int status = -1;
  EXPECT_GT(::waitpid(-1, &status, 0), 0);
  EXPECT_EQ(status, 0);
  spare_->make();
  spare_.reset();
  EXPECT_EQ(::waitpid(-1, &status, 0), -1);
}

}  // namespace
}  // namespace sbx::guest
