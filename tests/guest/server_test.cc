// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "guest/fake_host.h"
#include "guest/waiting_spare.h"
#include "support/temporary_directory.h"
#include "version.h"

namespace sbx::guest {
namespace {

using testing::FakeHost;
using testing::TemporaryDirectory;
using wire::ExecRequest;
using wire::Kind;

// A machine on which nobody but our own execs is ever signalled.
class FakeMachine : public GuestMachine {
 public:
  explicit FakeMachine(loop::Loop& loop) : loop_(loop) {}
  Result<Timings> set_up(const wire::GuestConfig& config, const Warn& warn) override {
    if (config.name == "bad") return fail(Code::kInternal, "no such machine");
    warn("a warning");
    return Timings{{"step", 1}};
  }
  Result<> set_clock(std::int64_t microseconds) override {
    clock = microseconds;
    return Ok{};
  }
  bool keeps_spare() const override { return spare; }
  void signal_everyone(int number) override {
    signals.push_back(number);
    for (const pid_t pid : execs) ::kill(-pid, number);
  }
  void end(int code) override {
    ended = code;
    loop_.stop();
  }

  std::vector<pid_t> execs;
  std::vector<int> signals;
  std::optional<int> ended;
  std::int64_t clock = 0;
  bool spare = false;

 private:
  loop::Loop& loop_;
};

ExecRequest command(std::vector<std::string> argv) {
  ExecRequest request;
  request.command = std::move(argv);
  return request;
}

ExecRequest shell(const std::string& script) { return command({"sh", "-c", script}); }

ExecRequest as_root(ExecRequest request) {
  request.user = "root";
  return request;
}

// A server and a host in one loop. As PID 1 would, this process inherits the orphans.
class Guest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "execs change their user, which takes root";
    ::signal(SIGPIPE, SIG_IGN);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    loop_ = std::move(*loop::Loop::create());
    auto pair = std::move(*make_socket_pair());
    machine_ = std::make_unique<FakeMachine>(*loop_);
    server_ = std::make_unique<Server>(*loop_, std::move(pair.ours), *machine_);
    host_ = std::make_unique<FakeHost>(*loop_, std::move(pair.theirs));
    ASSERT_TRUE(loop_->on_signals({SIGCHLD}, [this](int) {
      server_->reap();
      host_->changed();
    }));
  }

  void configure(wire::GuestConfig config = {}) {
    config.id = "id-1";
    config.name = "box";
    config.hostname = "box-host";
    host_->configure(config);
    host_->until([&] { return host_->ready.has_value(); });
  }

  FakeHost::Exec& finished(const ExecRequest& request) {
    if (!host_->ready) configure();
    const auto stream = host_->open(request);
    host_->until_exit(stream);
    return host_->execs[stream];
  }

  std::uint32_t opened(const ExecRequest& request, bool gives_credit = true) {
    if (!host_->ready) configure();
    const auto stream = host_->open(request, gives_credit);
    host_->until([this, stream] { return host_->execs[stream].opened || host_->execs[stream].exit; });
    EXPECT_TRUE(host_->execs[stream].opened);
    machine_->execs.push_back(host_->execs[stream].pid);
    return stream;
  }

  void until_gone(pid_t pid) {
    host_->until([pid] { return ::kill(pid, 0) != 0; });
  }

  std::unique_ptr<loop::Loop> loop_;
  std::unique_ptr<FakeMachine> machine_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<FakeHost> host_;
};

TEST_F(Guest, GreetsIsConfiguredAndIsReady) {
  server_->greet(steady_now());
  host_->until([&] { return host_->hello.has_value(); });
  EXPECT_EQ(host_->hello->version, SANDBOXD_VERSION "+" SANDBOXD_COMMIT);
  configure();
  EXPECT_EQ(host_->ready->timings, (Timings{{"step", 1}}));
  EXPECT_EQ(host_->logs, std::vector<std::string>{"a warning"});
}

TEST_F(Guest, SetsItsClockWhenTheHostSaysThatItJumped) {
  configure();
  host_->control(wire::Kind::kClock, R"({"clock_us":1700000000000000})");
  finished(shell("true"));  // frames are taken in order
  EXPECT_EQ(machine_->clock, 1700000000000000);
}

TEST_F(Guest, DoesNotTakeGarbageForAClock) {
  configure();
  host_->control(wire::Kind::kClock, R"({"clock_us":"late"})");
  finished(shell("true"));
  EXPECT_EQ(machine_->clock, 0);
  EXPECT_EQ(host_->logs.size(), 2u);
}

TEST_F(Guest, SaysWhyItCannotBeConfiguredAndEnds) {
  wire::GuestConfig config;
  config.id = config.hostname = "x";
  config.name = "bad";
  host_->configure(config);
  host_->until([&] { return !host_->failed.empty(); });
  EXPECT_EQ(host_->failed, "no such machine");
  EXPECT_EQ(machine_->ended, 1);
}

TEST_F(Guest, RefusesAnExecBeforeItIsConfigured) {
  const auto stream = host_->open(command({"true"}));
  host_->until_exit(stream);
  EXPECT_EQ(host_->execs[stream].exit->code, 125);
}

TEST_F(Guest, PassesOnOutputErrorsAndTheExitCode) {
  const auto& exec = finished(shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(exec.out, "out\n");
  EXPECT_EQ(exec.err, "err\n");
  EXPECT_EQ(exec.exit->code, 7);
  EXPECT_EQ(exec.exit->error, "");
}

TEST_F(Guest, ADeathBySignalIs128AndTheSignal) {
  const auto& exec = finished(shell("kill -9 $$"));
  EXPECT_EQ(exec.exit->code, 137);
  EXPECT_EQ(exec.exit->signal, 9);
}

TEST_F(Guest, WhatCannotStartSaysWhy) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::chmod(directory.path().c_str(), 0755), 0);
  ASSERT_TRUE(write_file_atomically(directory / "plain", "text", 0644));
  ASSERT_TRUE(write_file_atomically(directory / "garbage", "\x01\x02", 0755));
  ASSERT_TRUE(write_file_atomically(directory / "orphan", "#!/no/such/interpreter\n", 0755));
  auto elsewhere = command({"true"});
  elsewhere.directory = "/no/such/directory";
  auto nobody = command({"true"});
  nobody.user = "nosuchuser";
  const struct {
    const char* what;
    ExecRequest request;
    int code;
    const char* error;
  } cases[] = {
      {"not in PATH", command({"no-such-program"}), 127, "not found in $PATH"},
      {"no such file", command({"/no/such/file"}), 127, "No such file"},
      {"a directory", command({"/tmp"}), 126, "Is a directory"},
      {"not executable", command({directory / "plain"}), 126, "Permission denied"},
      {"not a program", command({directory / "garbage"}), 126, "Exec format error"},
      {"no interpreter", command({directory / "orphan"}), 127, "No such file"},
      {"no such directory", elsewhere, 126, "chdir to /no/such/directory"},
      {"no such user", nobody, 126, "no user \"nosuchuser\""},
  };
  for (const auto& item : cases) {
    const auto& exec = finished(item.request);
    EXPECT_EQ(exec.exit->code, item.code) << item.what;
    EXPECT_NE(exec.exit->error.find(item.error), std::string::npos) << item.what << ": " << exec.exit->error;
    EXPECT_FALSE(exec.opened) << item.what;
  }
}

TEST_F(Guest, FiveMegabytesGoThroughByteForByte) {
  std::string bytes(5'000'000, '\0');
  unsigned state = 1;
  for (auto& byte : bytes) byte = static_cast<char>((state = state * 1103515245 + 12345) >> 16);
  auto request = command({"cat"});
  request.interactive = true;
  const auto stream = opened(request);
  host_->feed(stream, bytes);
  host_->until_exit(stream);
  EXPECT_TRUE(host_->execs[stream].out == bytes);
  EXPECT_LE(host_->execs[stream].window, wire::kWindow);
  EXPECT_EQ(host_->execs[stream].exit->code, 0);
}

TEST_F(Guest, WithoutInteractiveStdinIsEmpty) { EXPECT_EQ(finished(shell("cat; echo end")).out, "end\n"); }

TEST_F(Guest, InputThatNobodyReadsIsCreditedAndDropped) {
  auto request = shell("exec 0</dev/null; echo closed; sleep 1000");
  request.interactive = true;
  const auto closed = opened(request);
  host_->until([&] { return host_->execs[closed].out == "closed\n"; });
  host_->feed(closed, std::string(3'000'000, 'x'));
  host_->until([&] { return host_->execs[closed].input.empty() && host_->execs[closed].window == wire::kWindow; });
  host_->send(closed, Kind::kSignal, "\x09");
  host_->until_exit(closed);
  EXPECT_EQ(host_->execs[closed].exit->signal, SIGKILL);
}

TEST_F(Guest, AStreamWithoutCreditStallsAloneAndLosesNothing) {
  constexpr std::size_t kTotal = 10'000'000;
  const auto stalled = opened(shell("head -c 10000000 /dev/zero"), /*gives_credit=*/false);
  host_->until([&] { return host_->execs[stalled].out.size() == wire::kWindow; });
  EXPECT_EQ(finished(shell("echo alive")).out, "alive\n");
  EXPECT_EQ(host_->execs[stalled].out.size(), wire::kWindow);
  EXPECT_FALSE(host_->execs[stalled].exit);
  host_->execs[stalled].gives_credit = true;
  host_->credit(stalled, wire::kWindow);
  host_->until_exit(stalled);
  EXPECT_EQ(host_->execs[stalled].out.size(), kTotal);
}

TEST_F(Guest, OutputThatWaitsForCreditOutlivesItsProgram) {
  const auto stream = opened(shell("head -c 1500000 /dev/zero"), /*gives_credit=*/false);
  until_gone(host_->execs[stream].pid);
  const std::chrono::duration<double> longer = 3 * Session::kSilence;
  EXPECT_EQ(finished(shell("sleep " + std::to_string(longer.count()))).exit->code, 0);
  EXPECT_FALSE(host_->execs[stream].exit);
  host_->credit(stream, wire::kWindow);
  host_->until_exit(stream);
  EXPECT_EQ(host_->execs[stream].out.size(), 1'500'000u);
}

TEST_F(Guest, WhenNobodyListensTheProgramRunsToItsEnd) {
  const auto stream = opened(shell("head -c 5000000 /dev/zero; exit 3"), /*gives_credit=*/false);
  host_->send(stream, Kind::kGone);
  host_->until_exit(stream);
  EXPECT_EQ(host_->execs[stream].exit->code, 3);
}

TEST_F(Guest, ATerminalHasTheSizeOfTheWindowAndFollowsIt) {
  auto request = shell("stty -echo; stty size; read x; stty size");
  request.tty = request.interactive = true;
  request.window = {33, 101};
  const auto stream = opened(request);
  host_->until([&] { return host_->execs[stream].out == "33 101\r\n"; });
  const auto size = wire::encode(wire::WindowSize{44, 55});
  host_->send(stream, Kind::kResize, {size.data(), size.size()});
  host_->send(stream, Kind::kData, "\n");
  host_->until_exit(stream);
  EXPECT_EQ(host_->execs[stream].out, "33 101\r\n44 55\r\n");
  EXPECT_EQ(host_->execs[stream].exit->code, 0);
}

TEST_F(Guest, ATerminalBelongsToTheUserAndControlsTheSession) {
  auto request = shell("test -t 0 && test -t 2 && stat -c %u \"$(tty)\" && : >/dev/tty && echo $TERM");
  request.tty = true;
  EXPECT_EQ(finished(request).out, "1000\r\nxterm-256color\r\n");
}

TEST_F(Guest, CtrlCOnATerminalInterruptsTheProgram) {
  auto request = shell("echo ready; exec sleep 1000");
  request.tty = request.interactive = true;
  const auto stream = opened(request);
  host_->until([&] { return host_->execs[stream].out.find("ready") != std::string::npos; });
  host_->send(stream, Kind::kData, "\x03");
  host_->until_exit(stream);
  EXPECT_EQ(host_->execs[stream].exit->code, 130);
}

TEST_F(Guest, ASignalReachesTheWholeGroup) {
  const auto stream = opened(shell("sleep 1000 & echo $!; wait"));
  host_->until([&] { return host_->execs[stream].out.ends_with('\n'); });
  const auto sleeper = static_cast<pid_t>(*parse_integer(trimmed(host_->execs[stream].out)));
  host_->send(stream, Kind::kSignal, "\x0f");
  host_->until_exit(stream);
  EXPECT_EQ(host_->execs[stream].exit->signal, SIGTERM);
  until_gone(sleeper);
}

TEST_F(Guest, ADescendantThatHoldsTheOutputIsNotWaitedForAndNotKilled) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::chmod(directory.path().c_str(), 0777), 0);
  ASSERT_EQ(::mkfifo((directory / "go").c_str(), 0666), 0);
  ASSERT_EQ(::chmod((directory / "go").c_str(), 0666), 0);
  auto request = shell("(read x <go; echo late; echo alive >proof) & exit 4");
  request.directory = directory.path();
  const auto& exec = finished(request);
  EXPECT_EQ(exec.exit->code, 4);
  ASSERT_TRUE(write_all(std::move(*open_path(directory / "go", O_RDWR)), "go\n"));
  host_->until([&] { return read_file(directory / "proof").value_or("") == "alive\n"; });
  EXPECT_EQ(exec.out, "");
}

TEST_F(Guest, AHostThatIgnoresTheWindowLosesThatExecOnly) {
  auto request = command({"sleep", "1000"});
  request.interactive = true;
  const auto flooded = opened(request);
  const auto other = opened(request);
  const std::string piece(wire::kLargestPayload, 'x');
  for (int i = 0; i < 12; ++i) host_->send(flooded, Kind::kData, piece);
  host_->until_exit(flooded);
  EXPECT_EQ(host_->execs[flooded].exit->code, 125);
  EXPECT_NE(host_->logs.back().find("broke the protocol"), std::string::npos);
  until_gone(host_->execs[flooded].pid);
  EXPECT_FALSE(host_->execs[other].exit);
  host_->credit(other, 1);  // nothing was sent, so nothing can be credited
  host_->until_exit(other);
  EXPECT_EQ(host_->execs[other].exit->code, 125);
}

TEST_F(Guest, TheEnvironmentIsCleanAndLaterWins) {
  ASSERT_EQ(::setenv("OF_INIT", "secret", 1), 0);
  wire::GuestConfig config;
  config.environment = {{"A", "sandbox"}, {"B", "sandbox"}, {"LANG", "C"}};
  config.workspace = "/usr";
  configure(config);
  auto request = shell("pwd; env");
  request.environment = {{"B", "exec"}};
  const auto lines = split(finished(request).out, '\n');
  EXPECT_EQ(lines.front(), "/usr");
  for (const char* expected : {"A=sandbox", "B=exec", "LANG=C", "SANDBOX_VM_ID=id-1", "SANDBOX_NAME=box",
                               "WORKSPACE_DIR=/usr", "HOSTNAME=box-host"})
    EXPECT_NE(std::find(lines.begin(), lines.end(), expected), lines.end()) << expected;
  for (const auto& line : lines) EXPECT_FALSE(line.starts_with("OF_INIT")) << line;
}

TEST_F(Guest, AProgramGetsNoDescriptorOfInits) {
  EXPECT_EQ(finished(command({"sh", "-c", "ls /proc/$$/fd"})).out, "0\n1\n2\n");
}

std::string status_line(const std::string& status, const std::string& name) {
  for (const auto& line : split(status, '\n'))
    if (line.starts_with(name + ":")) return std::string(trimmed(line.substr(name.size() + 1)));
  return "(none)";
}

std::uint64_t set_of(const std::string& status, const std::string& name) {
  return std::stoull(status_line(status, name), nullptr, 16);
}

constexpr std::uint64_t kSysAdmin = std::uint64_t{1} << 21;
constexpr std::uint64_t kChown = 1;

TEST_F(Guest, OrdinaryUsersHaveNoCapabilitiesAndCannotGetInits) {
  const auto status = finished(command({"cat", "/proc/self/status"})).out;
  for (const char* name : {"CapInh", "CapPrm", "CapEff", "CapAmb"}) EXPECT_EQ(set_of(status, name), 0u) << name;
  EXPECT_EQ(set_of(status, "CapBnd") & kSysAdmin, 0u);
  EXPECT_EQ(set_of(status, "CapBnd") & kChown, kChown);
  EXPECT_EQ(status_line(status, "NoNewPrivs"), "0");
  EXPECT_EQ(status_line(status, "Uid"), "1000\t1000\t1000\t1000");
}

TEST_F(Guest, RootHasTheTableAndNoMore) {
  const auto status = finished(as_root(command({"cat", "/proc/self/status"}))).out;
  EXPECT_EQ(set_of(status, "CapEff"), set_of(status, "CapBnd"));
  EXPECT_EQ(set_of(status, "CapEff") & kSysAdmin, 0u);
  EXPECT_EQ(set_of(status, "CapEff") & kChown, kChown);
}

TEST_F(Guest, PrivilegedRootHasAllThatInitHas) {
  auto request = as_root(command({"cat", "/proc/self/status"}));
  request.privileged = true;
  const auto ours = read_file("/proc/self/status").value();
  EXPECT_EQ(set_of(finished(request).out, "CapEff"), set_of(ours, "CapBnd"));
}

TEST_F(Guest, PackAndUnpackCopyATree) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(make_directories(directory / "from/tree", 0755));
  ASSERT_TRUE(make_directories(directory / "to", 0755));
  ASSERT_TRUE(write_file_atomically(directory / "from/tree/file", std::string(2'000'000, 'f')));
  auto pack = as_root({});
  pack.builtin = wire::Builtin::kPack;
  pack.path = directory / "from/tree/";
  const auto& packed = finished(pack);
  ASSERT_EQ(packed.exit->code, 0) << packed.err;
  auto unpack = as_root({});
  unpack.builtin = wire::Builtin::kUnpack;
  unpack.path = directory / "to";
  unpack.interactive = true;
  const auto stream = opened(unpack);
  host_->feed(stream, packed.out);
  host_->until_exit(stream);
  ASSERT_EQ(host_->execs[stream].exit->code, 0) << host_->execs[stream].err;
  EXPECT_EQ(read_file(directory / "to/tree/file").value(), std::string(2'000'000, 'f'));
}

TEST_F(Guest, CopiesHaveTheRightsOfTheUser) {
  const TemporaryDirectory directory;  // 0700, and not the agent's
  ExecRequest request;
  request.builtin = wire::Builtin::kPack;
  request.path = directory / "file";
  ASSERT_TRUE(write_file_atomically(directory / "file", "secret"));
  const auto& exec = finished(request);
  EXPECT_EQ(exec.exit->code, 1);
  EXPECT_NE(exec.err.find("Permission denied\n"), std::string::npos) << exec.err;
}

TEST_F(Guest, StatDescribesAPath) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::symlink("target", (directory / "link").c_str()), 0);
  auto request = as_root({});
  request.builtin = wire::Builtin::kStat;
  const std::pair<std::string, std::string> cases[] = {
      {"/no/such/file", R"({"exists":false})"},
      {directory / "link", R"({"exists":true,"type":"link","size":6,"mode":511,"link":"target"})"},
      {"/dev/null", R"({"exists":true,"type":"other","size":0,"mode":438})"},
  };
  for (const auto& [path, expected] : cases) {
    request.path = path;
    Json described = parse_json(finished(request).out).value_or(Json());
    described.erase("modified");
    EXPECT_EQ(dump(described), expected);
  }
}

TEST_F(Guest, AStopAsksWaitsAndEnds) {
  const auto stream = opened(shell("trap 'echo asked; exit 5' TERM; echo ready; while :; do :; done"));
  host_->until([&] { return host_->execs[stream].out == "ready\n"; });
  host_->control(Kind::kStop, R"({"grace_ms":20000})");
  host_->until([&] { return machine_->ended.has_value(); });
  EXPECT_EQ(machine_->ended, 0);
  EXPECT_EQ(machine_->signals, (std::vector<int>{SIGTERM, SIGCONT}));
  host_->until_exit(stream);
  EXPECT_EQ(host_->execs[stream].out, "ready\nasked\n");
  EXPECT_EQ(host_->execs[stream].exit->code, 5);
}

TEST_F(Guest, AStopKillsWhatDoesNotListen) {
  const auto stream = opened(shell("trap '' TERM; echo ready; sleep 1000"));
  host_->until([&] { return host_->execs[stream].out == "ready\n"; });
  host_->control(Kind::kStop, R"({"grace_ms":1})");
  host_->until([&] { return machine_->ended.has_value(); });
  EXPECT_EQ(machine_->signals.back(), SIGKILL);
  host_->until_exit(stream);
  EXPECT_EQ(host_->execs[stream].exit->signal, SIGKILL);
}

TEST_F(Guest, AnInteractiveShellDoesNotHoldUpAStop) {
  auto request = command({"bash", "--norc", "-i"});
  request.tty = request.interactive = true;
  const auto stream = opened(request);
  host_->until([&] { return !host_->execs[stream].out.empty(); });
  host_->control(Kind::kStop, R"({"grace_ms":25000})");
  host_->until([&] { return machine_->ended.has_value(); });
  EXPECT_EQ(machine_->signals, (std::vector<int>{SIGTERM, SIGCONT}));
}

TEST_F(Guest, WithoutAHostEverybodyIsKilled) {
  const auto stream = opened(command({"sleep", "1000"}));
  const pid_t pid = host_->execs[stream].pid;
  host_.reset();
  ASSERT_TRUE(loop_->run());
  EXPECT_EQ(machine_->signals, std::vector<int>{SIGKILL});
  EXPECT_TRUE(machine_->ended.has_value());
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
}

// A guest that keeps a process ready.
class GuestWithSpare : public Guest {
 protected:
  void SetUp() override {
    Guest::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
    machine_->spare = true;
    wire::GuestConfig config;
    config.workspace = directory_.path();
    configure(config);
  }

  static bool has_spare() { return testing::waiting_spare() != 0; }
  void look_again() {
    next_look_ = loop_->after(std::chrono::milliseconds(1), [this] {
      host_->changed();
      look_again();
    });
  }
  FakeHost::Exec& finished_by_spare(const ExecRequest& request) {
    if (!std::exchange(looking_, true)) look_again();
    host_->until(has_spare);
    return finished(request);
  }

  TemporaryDirectory directory_;
  bool looking_ = false;
  loop::Loop::Timer next_look_;
};

TEST_F(GuestWithSpare, ServesOneExecAfterTheOther) {
  for (int code = 0; code < 20; ++code) {
    const auto& exec = finished_by_spare(shell("echo out; echo err >&2; pwd; exit " + std::to_string(code)));
    EXPECT_EQ(exec.out, "out\n" + directory_.path() + "\n");
    EXPECT_EQ(exec.err, "err\n");
    EXPECT_EQ(exec.exit->code, code);
  }
}

TEST_F(GuestWithSpare, SaysWhatIsWrongWithAProgramAsWithoutOne) {
  const auto& missing = finished_by_spare(command({"no-such-program"}));
  EXPECT_EQ(missing.exit->code, 127);
  EXPECT_EQ(missing.exit->error, "exec \"no-such-program\": executable file not found in $PATH");
  const auto& forbidden = finished_by_spare(command({"/etc/passwd"}));
  EXPECT_EQ(forbidden.exit->code, 126);
}

TEST_F(GuestWithSpare, FindsAProgramBehindWhatOnlyHasItsName) {
  ASSERT_TRUE(make_directories(directory_ / "a/tool", 0755));
  for (const auto& [place, mode] : {std::pair{"b", 0644}, {"c", 0755}}) {
    ASSERT_TRUE(make_directories(directory_ / place, 0755));
    const std::string file = directory_ / place + "/tool";
    ASSERT_TRUE(write_file(file, "#!/bin/sh\necho \"$0\"\n"));
    ASSERT_EQ(::chmod(file.c_str(), static_cast<mode_t>(mode)), 0);
  }
  ExecRequest request = command({"tool"});
  request.environment = {{"PATH", directory_ / "none:" + directory_ / "a:" + directory_ / "b:" + directory_ / "c"}};
  const auto& exec = finished_by_spare(request);
  EXPECT_EQ(exec.out, directory_ / "c/tool" + "\n") << exec.err << exec.exit->error;
}

// The first spare is only being made.
TEST_F(GuestWithSpare, AllSignalsReachAnExecThatWaitsForOne) {
  const auto stream = host_->open(command({"sleep", "1000"}));
  host_->send(stream, Kind::kSignal, "\x0f");
  host_->send(stream, Kind::kSignal, "\x12");
  host_->until_exit(stream);
  EXPECT_EQ(host_->execs[stream].exit->signal, SIGTERM);
}

TEST_F(GuestWithSpare, StopsAlthoughOneWaits) {
  finished_by_spare(shell("true"));
  host_->until(has_spare);
  host_->control(wire::Kind::kStop, R"({"grace_ms":60000})");
  host_->until([this] { return machine_->ended.has_value(); });
  EXPECT_EQ(machine_->ended, 0);
}

}  // namespace
}  // namespace sbx::guest
