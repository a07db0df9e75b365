// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/shim.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "base/child.h"
#include "base/file.h"
#include "base/socket.h"
#include "fake_guest.h"
#include "support/temporary_directory.h"

namespace sbx::shim {
namespace {

using testing::bytes_of;
using testing::Frame;
using wire::Kind;

// A machine of one process, which ends when the test says so.
class FakeMachine : public backends::Machine {
 public:
  FakeMachine(Fd channel, pid_t pid) : channel_(std::move(channel)), pid_(pid), handle_(std::move(*open_pidfd(pid))) {}
  Fd take_channel() override { return std::move(channel_); }
  pid_t pid() const override { return pid_; }
  Timings timings() const override { return {}; }
  std::optional<std::string> end_of(pid_t pid, const Exit& exit) const override {
    if (pid != pid_) return std::nullopt;
    return exit.code == 0 ? "the guest powered off" : "it ended (status " + std::to_string(exit.code) + ")";
  }
  void kill() override { ::syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0); }

 private:
  Fd channel_;
  pid_t pid_;
  Fd handle_;
};

// A shim in a process of its own, because it confines itself; the test plays its guest, its daemon, and its machine.
class ShimWorld : public ::testing::Test {
 protected:
  void SetUp() override {
    ::signal(SIGPIPE, SIG_IGN);
    SocketPair channel = std::move(*make_socket_pair());
    Pipe life = std::move(*make_pipe());
    Pipe report = std::move(*make_pipe());
    shim_ = ::fork();
    ASSERT_GE(shim_, 0);
    if (shim_ == 0) {
      channel.theirs.reset();
      life.write.reset();
      report.read.reset();
      run(std::move(channel.ours), life.read, std::move(report.write));
    }
    guest_ = std::move(channel.theirs);
    life_ = std::move(life.write);
    report_ = std::move(report.read);
    report.write.reset();
  }

  void TearDown() override {
    guest_.reset();
    life_.reset();
    ::waitpid(shim_, nullptr, 0);
  }

  [[noreturn]] void run(Fd channel, const Fd& life, Fd report) {
    const pid_t machine = ::fork();
    if (machine == 0) {
      // Its copies of the descriptors are the shim's business and not its own.
      for (const Fd* fd : {&channel, &report}) ::close(fd->get());
      char code = 1;
      ::_exit(::read(life.get(), &code, 1) == 1 ? code : 1);
    }
    auto loop = std::move(*loop::Loop::create());
    wire::GuestConfig guest;
    guest.name = "box";
    auto listener = listen_unix(directory_ / "shim.sock");
    auto output = open_path(directory_ / "output.log", O_WRONLY | O_CREAT | O_APPEND);
    auto keys = open_path(directory_ / "exec.keys", O_RDWR | O_CREAT);
    Shim shim({*loop, std::make_unique<FakeMachine>(std::move(channel), machine), wire::Isolation::kContainer, true,
               guest, std::move(*listener), std::move(*output), std::move(*keys), Fd(), Fd(), std::move(report), 0,
               nullptr, -1});
    ::_exit(shim.serve() ? 0 : 1);
  }

  void say(Kind kind, std::uint32_t stream, std::string_view payload = {}) {
    ASSERT_TRUE(write_all(guest_, bytes_of(kind, stream, payload)));
  }
  Frame hear() {
    std::array<char, wire::kHeaderSize> bytes{};
    EXPECT_EQ(::recv(guest_.get(), bytes.data(), bytes.size(), MSG_WAITALL), static_cast<ssize_t>(bytes.size()));
    const auto header = wire::decode_header(bytes);
    if (!header) return {};
    std::string payload(header->length, 0);
    EXPECT_EQ(::recv(guest_.get(), payload.data(), payload.size(), MSG_WAITALL), static_cast<ssize_t>(payload.size()));
    return {header->kind, header->stream, payload};
  }
  void become_ready() {
    say(Kind::kHello, 0, dump({{"version", SANDBOXD_VERSION "+" SANDBOXD_COMMIT}}));
    ASSERT_EQ(hear().kind, Kind::kConfigure);
    say(Kind::kReady, 0, "{}");
    char byte = 0;
    ASSERT_EQ(::read(report_.get(), &byte, 1), 1);
  }

  Fd connect() const { return std::move(*connect_unix(directory_ / "shim.sock")); }
  Fd asked(const Json& request) const {
    Fd socket = connect();
    EXPECT_TRUE(send_message(socket, dump(request)));
    return socket;
  }
  Fd asked(const Json& request, Fd client) const {
    Fd socket = connect();
    EXPECT_TRUE(send_message(socket, dump(request), {client.get()}));
    return socket;
  }
  // The descriptor and the length of a message, and half of its body.
  static void send_half(const Fd& socket, std::string_view body, const Fd& client) {
    auto length = static_cast<std::uint32_t>(body.size());
    std::array<iovec, 2> parts{{{&length, sizeof length}, {const_cast<char*>(body.data()), body.size() / 2}}};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = parts.data();
    header.msg_iovlen = parts.size();
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    const int number = client.get();
    std::memcpy(CMSG_DATA(rights), &number, sizeof number);
    ASSERT_GT(::sendmsg(socket.get(), &header, 0), 0);
  }
  // The next frame for the guest is the stop, so there was none that opens an exec.
  void expect_no_exec() {
    const Fd stopper = asked({{"op", "stop"}, {"grace_ms", 0}});
    EXPECT_EQ(hear().kind, Kind::kStop);
  }
  static Json message(const Fd& socket) {
    const auto got = receive_message(socket);
    return got && *got ? *parse_json((*got)->body) : Json();
  }
  Json status() const { return message(asked({{"op", "status"}})); }
  static Json event(const Fd& watcher, const std::string& kind) {
    for (;;) {
      const Json json = message(watcher);
      if (json.is_null() || json.value("kind", "") == kind) return json;
    }
  }

  sbx::testing::TemporaryDirectory directory_;
  pid_t shim_ = -1;
  Fd guest_;
  Fd life_;
  Fd report_;
};

TEST_F(ShimWorld, TheEndOfTheMachineIsTheReasonHoweverLongItTakesAfterItsChannel) {
  become_ready();
  const Fd watcher = asked({{"op", "watch"}});
  guest_.reset();
  while (!status().contains("error")) continue;  // it has noticed
  ASSERT_EQ(::write(life_.get(), "\0", 1), 1);
  EXPECT_EQ(event(watcher, "ending")["detail"]["reason"], "the guest powered off");
}

TEST_F(ShimWorld, TheAnswerToADetachedExecReachesNobodyElse) {
  become_ready();
  {
    const Fd asker = asked({{"op", "exec"}, {"request", {{"command", {"true"}}, {"detach", true}}}});
    ASSERT_EQ(hear().kind, Kind::kOpen);
  }
  EXPECT_TRUE(status().contains("init_pid"));  // the asker that has left was noticed before this was answered
  const Fd watcher = asked({{"op", "watch"}});
  EXPECT_TRUE(status().contains("init_pid"));
  say(Kind::kOpened, 1, R"({"pid":4711})");
  say(Kind::kExit, 1, R"({"code":0})");
  const Json first = message(watcher);
  EXPECT_FALSE(first.contains("pid")) << first.dump();
  EXPECT_NE(first.dump().find("exec_exit"), std::string::npos) << first.dump();
}

TEST_F(ShimWorld, HalfARequestStopsNeitherTheGuestNorOtherAskers) {
  become_ready();
  const std::string body = R"({"op":"status"})";
  const auto length = static_cast<std::uint32_t>(body.size());
  const std::string whole = std::string(reinterpret_cast<const char*>(&length), sizeof length) + body;
  const Fd half = connect();
  ASSERT_TRUE(write_all(half, whole.substr(0, 6)));
  EXPECT_TRUE(status().contains("init_pid"));
  // The guest is heard.
  const Fd asker = asked({{"op", "exec"}, {"request", {{"command", {"true"}}, {"detach", true}}}});
  ASSERT_EQ(hear().kind, Kind::kOpen);
  say(Kind::kOpened, 1, R"({"pid":4711})");
  EXPECT_EQ(message(asker), (Json{{"pid", 4711}, {"log_position", 0}}));
  // And it was not given up, which is what took a shim that waits its time.
  ASSERT_TRUE(write_all(half, whole.substr(6)));
  EXPECT_TRUE(message(half).contains("init_pid"));
}

TEST_F(ShimWorld, ADetachedExecThatEndsBeforeItWasOpenedIsAnswered) {
  become_ready();
  const Fd asker = asked({{"op", "exec"}, {"request", {{"command", {"true"}}, {"detach", true}}}});
  ASSERT_EQ(hear().kind, Kind::kOpen);
  say(Kind::kExit, 1, R"({"code":0})");
  EXPECT_TRUE(message(asker).contains("exit"));
}

TEST_F(ShimWorld, ADetachedExecIsStartedOnceHoweverOftenItIsAskedFor) {
  become_ready();
  const Json request = {{"op", "exec"}, {"key", "k-1"}, {"request", {{"command", {"true"}}, {"detach", true}}}};
  Fd first = asked(request);
  ASSERT_EQ(hear().kind, Kind::kOpen);
  first.reset();  // a daemon that has died
  const Fd waits = asked(request);
  EXPECT_TRUE(status().contains("init_pid"));  // it has been heard
  say(Kind::kOpened, 1, R"({"pid":4711})");
  EXPECT_EQ(message(waits), (Json{{"pid", 4711}, {"log_position", 0}}));
  EXPECT_EQ(message(asked(request)), (Json{{"pid", 4711}, {"log_position", 0}}));
  say(Kind::kExit, 1, R"({"code":3})");
  EXPECT_EQ(message(asked(request)), (Json{{"pid", 4711}, {"log_position", 0}}))
      << "the answer is that of the first time";
  expect_no_exec();
}

TEST_F(ShimWorld, ADetachedExecThatCouldNotStartIsNotTriedAgain) {
  become_ready();
  const Json request = {{"op", "exec"}, {"key", "k-1"}, {"request", {{"command", {"nothing"}}, {"detach", true}}}};
  const Fd asker = asked(request);
  ASSERT_EQ(hear().kind, Kind::kOpen);
  say(Kind::kExit, 1, R"({"code":127,"error":"nothing: not found"})");
  const Json answer = message(asker);
  EXPECT_EQ(answer["exit"]["code"], 127);
  EXPECT_EQ(message(asked(request)), answer);
  expect_no_exec();
}

TEST_F(ShimWorld, AnAttachedExecIsNotGivenToASecondClient) {
  become_ready();
  const Json request = {{"op", "exec"}, {"key", "k-1"}, {"request", {{"command", {"cat"}}}}};
  SocketPair first = std::move(*make_socket_pair());
  EXPECT_EQ(message(asked(request, std::move(first.theirs))), (Json{{"ok", true}}));
  ASSERT_EQ(hear().kind, Kind::kOpen);
  SocketPair second = std::move(*make_socket_pair());
  EXPECT_EQ(message(asked(request, std::move(second.theirs)))["error"]["code"], "conflict");
  EXPECT_EQ(read_all(second.ours, 100).value_or("?"), "");
  expect_no_exec();
}

TEST_F(ShimWorld, AKeyOfAnotherExecIsAConflict) {
  become_ready();
  const Fd first = asked({{"op", "exec"}, {"key", "k-1"}, {"request", {{"command", {"a"}}, {"detach", true}}}});
  ASSERT_EQ(hear().kind, Kind::kOpen);
  const Fd other = asked({{"op", "exec"}, {"key", "k-1"}, {"request", {{"command", {"b"}}, {"detach", true}}}});
  EXPECT_EQ(message(other)["error"]["code"], "conflict");
  expect_no_exec();
}

TEST_F(ShimWorld, AClientHasItsFirstBytesBeforeTheGuestIsAsked) {
  become_ready();
  SocketPair client = std::move(*make_socket_pair());
  const Fd asker = asked({{"op", "exec"}, {"request", {{"command", {"cat"}}}}}, std::move(client.theirs));
  ASSERT_EQ(hear().kind, Kind::kOpen);
  std::array<char, 8> bytes{};
  EXPECT_EQ(::recv(client.ours.get(), bytes.data(), bytes.size(), MSG_DONTWAIT), static_cast<ssize_t>(bytes.size()));
  EXPECT_EQ(std::string_view(bytes.data(), bytes.size()), "HTTP/1.1");
}

// As a daemon that is killed there: the client's connection ends without a byte, so it knows that nothing was run.
TEST_F(ShimWorld, HalfARequestForAnExecRunsNothingAndLetsItsClientGo) {
  become_ready();
  SocketPair client = std::move(*make_socket_pair());
  Fd daemon = connect();
  send_half(daemon, dump({{"op", "exec"}, {"key", "k-1"}, {"request", {{"command", {"cat"}}}}}), client.theirs);
  client.theirs.reset();
  daemon.reset();
  EXPECT_EQ(read_all(client.ours, 100).value_or("?"), "");
  expect_no_exec();
}

TEST_F(ShimWorld, AnExecWhoseDaemonDiedAfterItHadHandedItOverIsServed) {
  become_ready();
  SocketPair client = std::move(*make_socket_pair());
  asked({{"op", "exec"}, {"key", "k-1"}, {"request", {{"command", {"cat"}}}}}, std::move(client.theirs)).reset();
  ASSERT_EQ(hear().kind, Kind::kOpen);
  say(Kind::kExit, 1, R"({"code":0})");
  const std::string all = read_all(client.ours, 4096).value_or("");
  EXPECT_TRUE(all.starts_with("HTTP/1.1 101 ")) << all;
  EXPECT_NE(all.find(R"({"code":0})"), std::string::npos) << all;
}

TEST_F(ShimWorld, ASecondHelloEndsTheMachine) {
  become_ready();
  const Fd watcher = asked({{"op", "watch"}});
  EXPECT_TRUE(status().contains("init_pid"));
  say(Kind::kHello, 0, dump({{"version", SANDBOXD_VERSION "+" SANDBOXD_COMMIT}}));
  EXPECT_NE(event(watcher, "ending").dump().find("second hello"), std::string::npos);
}

TEST_F(ShimWorld, AStopIsAnsweredWhenTheGuestIsGone) {
  become_ready();
  const Fd stopper = asked({{"op", "stop"}, {"grace_ms", 0}});
  ASSERT_EQ(hear().kind, Kind::kStop);
  ASSERT_EQ(::write(life_.get(), "\0", 1), 1);
  EXPECT_EQ(message(stopper), (Json{{"ok", true}}));
}

Json terminal_exec(const std::string& program, bool detach = false) {
  Json request = {{"command", {program}}, {"tty", true}, {"interactive", true}};
  if (detach) request["detach"] = true;
  return {{"op", "exec"}, {"request", request}};
}
Json attach_to(int session, const Json& request = Json::object()) {
  return {{"op", "attach"}, {"session", session}, {"request", request}};
}

TEST_F(ShimWorld, AnExecWithATerminalIsASessionThatOutlivesItsClient) {
  become_ready();
  EXPECT_EQ(status()["features"], Json({"sessions", "docker"}));
  SocketPair first = std::move(*make_socket_pair());
  EXPECT_EQ(message(asked(terminal_exec("vi"), std::move(first.theirs))), (Json{{"ok", true}}));
  ASSERT_EQ(hear().kind, Kind::kOpen);
  say(Kind::kOpened, 1, R"({"pid":4711})");
  say(Kind::kOut, 1, "on the screen");
  first.ours.reset();
  const auto clients = [this] { return message(asked({{"op", "sessions"}}))["sessions"][0]["clients"]; };
  while (clients() != 0) continue;  // it has noticed
  SocketPair second = std::move(*make_socket_pair());
  EXPECT_EQ(message(asked(attach_to(1), std::move(second.theirs))), (Json{{"ok", true}}));
  const Frame redraw = hear();
  EXPECT_EQ(redraw.kind, Kind::kResize) << "and not kGone";
  say(Kind::kExit, 1, R"({"code":3})");
  const std::string all = read_all(second.ours, 4096).value_or("");
  EXPECT_NE(all.find("on the screen"), std::string::npos) << all;
  EXPECT_NE(all.find(R"({"code":3})"), std::string::npos) << all;
  const Json listed = message(asked({{"op", "sessions"}}))["sessions"][0];
  EXPECT_EQ(listed["session"], 1);
  EXPECT_EQ(listed["state"], "ended");
  EXPECT_EQ(listed["exit"]["code"], 3);
  EXPECT_EQ(listed["command"], Json({"vi"}));
}

TEST_F(ShimWorld, AttachIsRefusedBeforeTheClientIsTaken) {
  become_ready();
  SocketPair client = std::move(*make_socket_pair());
  EXPECT_EQ(message(asked(attach_to(1), std::move(client.theirs)))["error"]["code"], "not_found");
  EXPECT_EQ(read_all(client.ours, 100).value_or("?"), "") << "no byte of an answer: that is the daemon's to give";
  EXPECT_EQ(message(asked({{"op", "end_session"}, {"session", 1}}))["error"]["code"], "not_found");
  EXPECT_EQ(message(asked(attach_to(1)))["error"]["code"], "invalid") << "without a descriptor";
}

TEST_F(ShimWorld, ADetachedExecWithATerminalIsASessionAndInTheLog) {
  become_ready();
  const Fd asker = asked(terminal_exec("vi", true));
  ASSERT_EQ(hear().kind, Kind::kOpen);
  say(Kind::kOut, 1, "printed");
  say(Kind::kOpened, 1, R"({"pid":4711})");
  EXPECT_EQ(message(asker), (Json{{"pid", 4711}, {"session", 1}, {"log_position", 0}}));
  EXPECT_EQ(*read_file(directory_ / "output.log"), "printed");
  SocketPair client = std::move(*make_socket_pair());
  EXPECT_EQ(message(asked(attach_to(1), std::move(client.theirs))), (Json{{"ok", true}}));
}

TEST_F(ShimWorld, TheEndOfASessionThatWasAskedForIsAnsweredWhenItHasCome) {
  become_ready();
  const Fd asker = asked(terminal_exec("vi", true));
  ASSERT_EQ(hear().kind, Kind::kOpen);
  say(Kind::kOpened, 1, R"({"pid":4711})");
  const Fd ender = asked({{"op", "end_session"}, {"session", 1}});
  for (const int number : {SIGHUP, SIGTERM, SIGCONT}) {
    const Frame frame = hear();
    EXPECT_EQ(frame.kind, Kind::kSignal);
    EXPECT_EQ(frame.payload, std::string(1, static_cast<char>(number)));
  }
  say(Kind::kExit, 1, R"({"code":129,"signal":1})");
  const Json ended = message(ender);
  EXPECT_EQ(ended["state"], "ended");
  EXPECT_EQ(ended["exit"]["code"], 129);
  EXPECT_EQ(message(asked({{"op", "end_session"}, {"session", 1}})), ended) << "asked for again, it has ended";
}

TEST_F(ShimWorld, SessionsThatRunAndThatHaveEndedAreSoManyAndNoMore) {
  become_ready();
  std::uint32_t stream = 0;
  const auto start = [&] {
    const Fd asker = asked(terminal_exec("vi", true));
    const Frame open = hear();
    EXPECT_EQ(open.kind, Kind::kOpen);
    stream = open.stream;
    say(Kind::kOpened, stream, R"({"pid":4711})");
    return message(asker)["session"];
  };
  for (std::size_t i = 0; i < SessionTable::kMostEnded + 5; ++i) {
    start();
    say(Kind::kExit, stream, R"({"code":0})");
  }
  for (std::size_t i = 0; i < SessionTable::kMostRunning; ++i) start();
  const Json refused = message(asked(terminal_exec("vi", true)));
  EXPECT_EQ(refused["error"]["code"], "conflict") << refused.dump();
  const Json sessions = message(asked({{"op", "sessions"}}))["sessions"];
  EXPECT_EQ(sessions.size(), SessionTable::kMostEnded + SessionTable::kMostRunning);
  EXPECT_EQ(sessions[0]["session"], 6) << "the oldest are forgotten";
  EXPECT_EQ(message(asked({{"op", "end_session"}, {"session", 1}}))["error"]["code"], "not_found");
}

TEST_F(ShimWorld, TheEndOfTheSandboxIsToldToTheClientsOfItsSessions) {
  become_ready();
  SocketPair client = std::move(*make_socket_pair());
  EXPECT_EQ(message(asked(terminal_exec("vi"), std::move(client.theirs))), (Json{{"ok", true}}));
  ASSERT_EQ(hear().kind, Kind::kOpen);
  guest_.reset();
  ASSERT_EQ(::write(life_.get(), "\0", 1), 1);
  const std::string all = read_all(client.ours, 4096).value_or("");
  EXPECT_NE(all.find("the sandbox has ended"), std::string::npos) << all;
}

}  // namespace
}  // namespace sbx::shim
