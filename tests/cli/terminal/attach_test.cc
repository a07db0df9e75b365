// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/attach.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <future>
#include <memory>
#include <thread>

#include "base/json.h"
#include "base/value.h"
#include "cli/terminal/signals.h"
#include "wire/frame.h"

namespace sbx::cli {
namespace {

using wire::Kind;

struct Frame {
  Kind kind;
  std::string payload;
};

// The other end of the connection: what a shim does, by hand.
class FakeShim {
 public:
  explicit FakeShim(Fd socket) : socket_(std::move(socket)) {}

  void send(Kind kind, std::string_view payload) {
    const auto header =
        wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, kind});
    (void)write_all(socket_,
                    std::string(header.begin(), header.end()) + std::string(payload));  // the client may be gone
  }
  void send_raw(std::string_view bytes) { (void)write_all(socket_, bytes); }
  void send_exit(const wire::ExecExit& exit) { send(Kind::kExit, text_of(exit)); }
  // Nothing at the end of the connection.
  std::optional<Frame> receive() {
    std::array<char, wire::kHeaderSize> head{};
    if (!fill(head.data(), head.size())) return std::nullopt;
    const auto header = wire::decode_header(head);
    if (!header) return std::nullopt;
    Frame frame{header->kind, std::string(header->length, '\0')};
    if (!fill(frame.payload.data(), frame.payload.size())) return std::nullopt;
    return frame;
  }
  void close() { socket_.reset(); }

 private:
  bool fill(char* into, std::size_t size) {
    while (size > 0) {
      const ssize_t n = ::recv(socket_.get(), into, size, 0);
      if (n <= 0) return false;
      into += n;
      size -= static_cast<std::size_t>(n);
    }
    return true;
  }
  Fd socket_;
};

// Pipes in the place of the terminal, and a shim at the other end.
class Attach : public ::testing::Test {
 protected:
  void SetUp() override {
    auto sockets = make_socket_pair();
    auto in = make_pipe();
    auto out = make_pipe();
    auto err = make_pipe();
    ASSERT_TRUE(sockets && in && out && err);
    connection_ = std::move(sockets->ours);
    shim_ = std::make_unique<FakeShim>(std::move(sockets->theirs));
    typed_ = std::move(in->write);
    shown_ = std::move(out->read);
    complained_ = std::move(err->read);
    streams_ = Streams{std::move(in->read), std::move(out->write), std::move(err->write)};
  }

  Result<Outcome> attached(AttachOptions options, std::string early = {}) {
    return attach({std::move(connection_), std::move(early)}, std::move(options), streams_);
  }
  static AttachOptions plain(bool interactive) { return {false, interactive, {}}; }
  static AttachOptions terminal() { return {true, true, DetachKeys::parse(kUsualDetachKeys).value()}; }

  std::string all_shown() {
    streams_.out.reset();
    return read_all(shown_, 64u << 20).value();
  }
  std::string all_complained() {
    streams_.err.reset();
    return read_all(complained_, 64u << 20).value();
  }

  Fd connection_;
  std::unique_ptr<FakeShim> shim_;
  Fd typed_;
  Fd shown_;
  Fd complained_;
  Streams streams_{Fd(), Fd(), Fd()};
};

int code_of(const Result<Outcome>& outcome) {
  if (!outcome) return -1;
  const auto* exit = std::get_if<wire::ExecExit>(&*outcome);
  return exit == nullptr ? -2 : exit->code;
}

TEST_F(Attach, OutputErrorsAndExitCodeArrive) {
  shim_->send(Kind::kOpened, R"({"pid":7})");
  shim_->send(Kind::kOut, "to stdout");
  shim_->send(Kind::kErr, "to stderr");
  shim_->send(Kind::kOut, "");
  shim_->send_exit({42, 0, ""});
  EXPECT_EQ(code_of(attached(plain(false))), 42);
  EXPECT_EQ(all_shown(), "to stdout");
  EXPECT_EQ(all_complained(), "to stderr");
}

TEST_F(Attach, WhatCameWithTheResponseIsPartOfTheStream) {
  const auto header = wire::encode(wire::Header{5, wire::kClientStream, Kind::kOut});
  shim_->send_exit({});
  EXPECT_EQ(code_of(attached(plain(false), std::string(header.begin(), header.end()) + "early")), 0);
  EXPECT_EQ(all_shown(), "early");
}

TEST_F(Attach, WhyACommandCouldNotStartArrives) {
  shim_->send_exit({127, 0, "nope: not found"});
  const auto outcome = attached(plain(false));
  ASSERT_EQ(code_of(outcome), 127);
  EXPECT_EQ(std::get<wire::ExecExit>(*outcome).error, "nope: not found");
}

TEST_F(Attach, FramesMayArriveByteByByte) {
  std::thread dribbler([this] {
    std::string bytes;
    for (const auto& [kind, payload] : {Frame{Kind::kOut, "abc"}, Frame{Kind::kExit, R"({"code":3})"}}) {
      const auto header = wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), 1, kind});
      bytes.append(header.begin(), header.end()).append(payload);
    }
    for (const char byte : bytes) shim_->send_raw(std::string_view(&byte, 1));
  });
  EXPECT_EQ(code_of(attached(plain(false))), 3);
  dribbler.join();
  EXPECT_EQ(all_shown(), "abc");
}

// 20 MB each way at once, as `cat` would do it: what comes back is what was sent, and nobody waits for nobody.
TEST_F(Attach, TwentyMegabytesGoBothWaysByteForByte) {
  constexpr std::size_t kSize = 20u << 20;
  std::string sent(kSize, '\0');
  for (std::size_t i = 0; i < kSize; ++i) sent[i] = static_cast<char>(i * 2654435761u >> 13);
  std::thread cat([this] {
    while (const auto frame = shim_->receive()) {
      if (frame->kind == Kind::kEnd) break;
      shim_->send(Kind::kOut, frame->payload);
    }
    shim_->send_exit({});
  });
  std::thread typist([&] {
    (void)write_all(typed_, sent);
    typed_.reset();
  });
  auto reader = std::async(std::launch::async, [this] { return read_all(shown_, 64u << 20).value(); });
  EXPECT_EQ(code_of(attached(plain(true))), 0);
  streams_.out.reset();
  EXPECT_TRUE(reader.get() == sent);
  typist.join();
  cat.join();
}

TEST_F(Attach, TheEndOfInputIsToldAndOutputGoesOn) {
  typed_.reset();
  std::thread shim([this] {
    const auto frame = shim_->receive();
    shim_->send(Kind::kOut, frame && frame->kind == Kind::kEnd ? "saw the end" : "saw something else");
    shim_->send_exit({});
  });
  EXPECT_EQ(code_of(attached(plain(true))), 0);
  shim.join();
  EXPECT_EQ(all_shown(), "saw the end");
}

TEST_F(Attach, WithoutInputNothingIsReadFromIt) {
  ASSERT_TRUE(write_all(typed_, "not for the command"));
  shim_->send_exit({});
  EXPECT_EQ(code_of(attached(plain(false))), 0);
  EXPECT_FALSE(shim_->receive());
  typed_.reset();
  EXPECT_EQ(read_all(streams_.in, 100).value(), "not for the command");
}

TEST_F(Attach, ACommandThatDoesNotReadItsInputEndsAllTheSame) {
  const IgnoredSignal broken_pipe(SIGPIPE);  // the typist's, at the end
  std::thread typist([this] { (void)write_all(typed_, std::string(8u << 20, 'x')); });
  std::thread shim([this] {
    (void)shim_->receive();  // one frame, and then no more
    shim_->send_exit({5, 0, ""});
  });
  EXPECT_EQ(code_of(attached(plain(true))), 5);
  shim.join();
  streams_.in.reset();
  typist.join();
}

TEST_F(Attach, ALostConnectionIsAnError) {
  shim_->send(Kind::kOut, "half");
  shim_->close();
  const auto outcome = attached(plain(false));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().what(), "the sandbox ended while the command ran");
}

TEST_F(Attach, BytesThatAreNoFrameAreAnError) {
  std::string early(wire::kHeaderSize, '\xff');
  EXPECT_FALSE(attached(plain(false), early));
}

TEST_F(Attach, AReaderThatIsGoneEndsItAndTheCommandGetsSigpipe) {
  shown_.reset();
  shim_->send(Kind::kOut, "nobody reads this");
  const auto outcome = attached(plain(false));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(std::holds_alternative<OutputClosed>(*outcome));
  const auto frame = shim_->receive();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->kind, Kind::kSignal);
  EXPECT_EQ(frame->payload, std::string(1, SIGPIPE));
  EXPECT_FALSE(shim_->receive());
}

TEST_F(Attach, TheDetachKeysDetachOnATerminal) {
  ASSERT_TRUE(write_all(typed_, "ls\x10\x11"));
  const auto outcome = attached(terminal());
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(std::holds_alternative<DetachedByKeys>(*outcome));
  EXPECT_EQ(shim_->receive()->payload, "ls");
  EXPECT_FALSE(shim_->receive());
}

TEST_F(Attach, WithoutATerminalTheDetachKeysAreBytes) {
  ASSERT_TRUE(write_all(typed_, "\x10\x11"));
  typed_.reset();
  std::thread shim([this] {
    const auto frame = shim_->receive();
    shim_->send(Kind::kOut, frame ? frame->payload : "nothing");
    shim_->send_exit({});
  });
  EXPECT_EQ(code_of(attached(plain(true))), 0);
  shim.join();
  EXPECT_EQ(all_shown(), "\x10\x11");
}

// The signals are blocked here first, so that one which comes before attach listens waits for it.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, number);
    ::pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

TEST_F(Attach, SignalsGoToTheCommand) {
  const BlockedSignals blocked;
  std::thread shim([this] {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
      ::kill(::getpid(), number);
      const auto frame = shim_->receive();
      shim_->send(Kind::kOut, frame && frame->kind == Kind::kSignal && frame->payload[0] == number ? "." : "x");
    }
    shim_->send_exit({});
  });
  EXPECT_EQ(code_of(attached(plain(false))), 0);
  shim.join();
  EXPECT_EQ(all_shown(), "....");
}

TEST_F(Attach, OnATerminalTermEndsUs) {
  const BlockedSignals blocked;
  std::thread shim([this] {
    (void)shim_->receive();
    ::kill(::getpid(), SIGTERM);
    while (shim_->receive()) {
    }
  });
  ASSERT_TRUE(write_all(typed_, "x"));
  const auto outcome = attached(terminal());
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(std::holds_alternative<Interrupted>(*outcome));
  EXPECT_EQ(std::get<Interrupted>(*outcome).signal, SIGTERM);
  shim.join();
}

TEST_F(Attach, ThatTheTerminalIsGoneLeavesTheSession) {
  shim_->send(Kind::kOpened, R"({"session":3,"pid":7})");
  typed_.reset();
  const auto outcome = attached(terminal());
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(std::holds_alternative<Interrupted>(*outcome));
  EXPECT_EQ(std::get<Interrupted>(*outcome).signal, SIGHUP);
  EXPECT_FALSE(shim_->receive()) << "nothing is said to the command";
}

TEST_F(Attach, TheHangUpThatFollowsTheEndOfATerminalDoesNotKillUs) {
  struct sigaction before {};
  ASSERT_EQ(::sigaction(SIGHUP, nullptr, &before), 0);
  typed_.reset();
  ASSERT_TRUE(attached(terminal()));
  ::raise(SIGHUP);
  ASSERT_EQ(::sigaction(SIGHUP, &before, nullptr), 0);
}

TEST_F(Attach, WhoLeavesASessionKnowsItsNumber) {
  std::thread shim([this] {
    shim_->send(Kind::kOpened, R"({"session":3,"pid":7})");
    (void)shim_->receive();
    ASSERT_TRUE(write_all(typed_, "\x10\x11"));
    while (shim_->receive()) {
    }
  });
  ASSERT_TRUE(write_all(typed_, "x"));
  const auto outcome = attached(terminal());
  shim.join();
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(std::holds_alternative<DetachedByKeys>(*outcome));
  EXPECT_EQ(std::get<DetachedByKeys>(*outcome).session, 3u);
}

TEST_F(Attach, AWatcherSendsNothingAndLeavesByControlC) {
  AttachOptions watcher = terminal();
  watcher.read_only = true;
  ASSERT_TRUE(write_all(typed_, "typed\x03"));
  const auto outcome = attached(std::move(watcher));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(std::holds_alternative<DetachedByKeys>(*outcome));
  EXPECT_FALSE(shim_->receive());
}

TEST_F(Attach, SignalsToAWatcherAreForItself) {
  const BlockedSignals blocked;
  AttachOptions watcher{true, false, {}, true};
  ::kill(::getpid(), SIGINT);
  const auto outcome = attached(std::move(watcher));
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(std::holds_alternative<Interrupted>(*outcome));
  EXPECT_EQ(std::get<Interrupted>(*outcome).signal, SIGINT);
  EXPECT_FALSE(shim_->receive());
}

}  // namespace
}  // namespace sbx::cli
