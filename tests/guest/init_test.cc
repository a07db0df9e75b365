// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/child.h"
#include "base/file.h"
#include "base/text.h"
#include "guest/init_world.h"
#include "version.h"

// The program itself, as PID 1 of namespaces that bubblewrap makes: what the tests of the server cannot try, because it
// is done to everybody.
namespace sbx::guest {
namespace {

using wire::Kind;

using testing::Init;
using testing::kInit;

TEST_F(Init, ComesUpWithItsUserItsNameAndItsFileSystems) {
  host_->until([&] { return host_->hello.has_value(); });
  EXPECT_EQ(host_->hello->version, SANDBOXD_VERSION "+" SANDBOXD_COMMIT);
  configure();
  EXPECT_TRUE(host_->logs.empty()) << host_->logs.front();
  for (const char* step : {"mounts", "hostname", "agent"})
    EXPECT_TRUE(std::ranges::any_of(host_->ready->timings, [&](const auto& noted) { return noted.first == step; }))
        << step;
  EXPECT_EQ(output_of("id -un; uname -n; pwd; cat /etc/hostname"), "agent\nbox-7\n/home/agent\nbox-7\n");
  EXPECT_EQ(output_of("for m in /proc /sys /dev/pts /run; do mountpoint -q $m || echo $m; done"), "");
  EXPECT_EQ(output_of("readlink /proc/1/exe 2>/dev/null; cat /proc/1/comm"), "init\n");
}

TEST_F(Init, AProgramHasTheUsualSignalsWhateverInitHas) {
  configure();
  EXPECT_EQ(output_of("exec sed -nE '/^Sig(Blk|Ign|Cgt)/p' /proc/self/status"),
            "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\nSigCgt:\t0000000000000000\n");
}

TEST_F(Init, ReapsOrphans) {
  configure();
  EXPECT_EQ(output_of("(true & exec sleep 0) & wait; sh -c 'sh -c : &'; echo done"), "done\n");
  const auto stream = open("while grep -qs ^State:.Z /proc/[0-9]*/status; do :; done");
  host_->until_exit(stream);
  EXPECT_EQ(host_->execs[stream].exit->code, 0);
}

TEST_F(Init, AStopEndsEverybodyAndItself) {
  configure();
  const auto stream = open("setsid sleep 1000 & echo started; exec sleep 1000");
  host_->until([&] { return !host_->execs[stream].out.empty(); });
  host_->control(Kind::kStop, R"({"grace_ms":20000})");
  host_->until([&] { return host_->closed; });
  EXPECT_EQ(host_->execs[stream].exit.value_or(wire::ExecExit{}).signal, SIGTERM);
  EXPECT_EQ(init_->wait()->code, 0);
}

TEST_F(Init, DoesNotOutliveItsChannel) {
  configure();
  const auto stream = open("trap '' TERM HUP; echo started; exec sleep 1000");
  host_->until([&] { return !host_->execs[stream].out.empty(); });
  host_.reset();
  EXPECT_TRUE(init_->wait());  // returns only when the namespace is empty
}

TEST(InitAlone, WontBeAnythingButPid1) {
  Command command;
  command.argv = {kInit, "--channel-fd", "3"};
  const auto pair = std::move(*make_socket_pair());
  command.passed_fds = {pair.theirs.get()};
  auto child = std::move(*Child::start(command));
  EXPECT_EQ(child.wait()->code, 1);
}

}  // namespace
}  // namespace sbx::guest
