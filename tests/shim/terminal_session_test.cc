// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/terminal_session.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <vector>

#include "base/value.h"
#include "fake_guest.h"

namespace sbx::shim {
namespace {

using testing::Frame;
using testing::FrameEnd;
using testing::ReadyWorld;
using wire::Kind;

constexpr wire::WindowSize kSmall{24, 80};
constexpr wire::WindowSize kLarge{50, 132};

wire::AttachRequest from_window(wire::WindowSize window) {
  wire::AttachRequest request;
  request.window = window;
  return request;
}

wire::AttachRequest watching() {
  wire::AttachRequest request;
  request.read_only = true;
  return request;
}

std::string text_in(const std::vector<Frame>& frames) {
  std::string text;
  for (const Frame& frame : frames)
    if (frame.kind == Kind::kOut) text += frame.payload;
  return text;
}

std::vector<Frame> of_kind(std::vector<Frame> frames, Kind kind) {
  std::erase_if(frames, [kind](const Frame& frame) { return frame.kind != kind; });
  return frames;
}

wire::OutputPosition position_in(const std::vector<Frame>& frames) {
  const auto found = of_kind(frames, Kind::kPosition);
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? wire::OutputPosition() : *value_in<wire::OutputPosition>(found[0].payload, "position");
}

// A session whose guest and whose clients the test plays.
class SessionWorld : public ReadyWorld {
 public:
  explicit SessionWorld(bool with_client = true) {
    wire::ExecRequest request;
    request.command = {"vi", "notes"};
    request.tty = request.interactive = true;
    request.window = kSmall;
    TerminalSession::Handlers handlers;
    handlers.opened = [](std::int64_t) {};
    handlers.ended = [this] { ended_ = true; };
    handlers.client_gone = [] {};
    session_ = std::make_unique<TerminalSession>(loop(), *guest_, 7, request, handlers);
    if (with_client) {
      auto pair = make_socket_pair();
      clients_.push_back(std::make_unique<FrameEnd>(std::move(pair->theirs)));
      session_->open(std::move(pair->ours));
    } else {
      session_->open(std::nullopt);
    }
    settle();
    const auto asked = end_->hear();
    EXPECT_EQ(asked.size(), 1u);
    end_->say(Kind::kOpened, 1, R"({"pid":4711})");
    settle();
    if (with_client) clients_[0]->hear();
  }

  FrameEnd& attach(const wire::AttachRequest& request) {
    auto pair = make_socket_pair();
    clients_.push_back(std::make_unique<FrameEnd>(std::move(pair->theirs)));
    session_->attach(std::move(pair->ours), request);
    settle();
    return *clients_.back();
  }
  void print(std::string_view text) {
    end_->say(Kind::kOut, 1, text);
    settle();
    heard();
  }
  // What the guest has been told but credit, which it uses.
  std::vector<Frame> heard() {
    std::vector<Frame> others;
    for (const Frame& frame : end_->hear())
      if (frame.kind == Kind::kCredit)
        may_send_ += *wire::decode_u32(frame.payload);
      else
        others.push_back(frame);
    return others;
  }
  // As much of a flood of lines as the guest may send, in `rounds` in which `reads` has its turn. How much it was.
  std::size_t flood(int rounds, const std::function<void()>& reads) {
    std::size_t sent = 0;
    for (int round = 0; round < rounds; ++round) {
      while (may_send_ >= kPiece) {
        std::string piece(kPiece, 'o');
        for (std::size_t at = 99; at < piece.size(); at += 100) piece[at] = '\n';
        end_->say(Kind::kOut, 1, piece);
        may_send_ -= kPiece;
        sent += kPiece;
        settle();
        reads();
      }
      settle();
      heard();
      reads();
    }
    return sent;
  }

  static constexpr std::size_t kPiece = 128u << 10;
  std::vector<std::unique_ptr<FrameEnd>> clients_;
  std::unique_ptr<TerminalSession> session_;
  bool ended_ = false;
  std::size_t may_send_ = wire::kWindow;
};

TEST(TerminalSession, ItsFirstClientIsAnsweredAndToldItsNumber) {
  SessionWorld world(false);
  FrameEnd& client = world.attach(from_window(kSmall));
  const auto frames = client.hear();
  EXPECT_TRUE(client.http_head().starts_with("HTTP/1.1 101 "));
  ASSERT_FALSE(frames.empty());
  ASSERT_EQ(frames[0].kind, Kind::kOpened);
  const auto opened = value_in<wire::SessionOpened>(frames[0].payload, "opened");
  EXPECT_EQ(opened->session, 7u) << "ours, whatever the guest says";
  EXPECT_EQ(opened->pid, 4711);
}

TEST(TerminalSession, RelaysBothWaysAndTellsTheEnd) {
  SessionWorld world;
  world.clients_[0]->say(Kind::kData, 1, "typed");
  world.settle();
  const auto typed = world.heard();
  ASSERT_EQ(typed.size(), 1u);
  EXPECT_EQ(typed[0].payload, "typed");
  world.print("shown");
  world.end_->say(Kind::kExit, 1, R"({"code":3})");
  world.settle();
  const auto frames = world.clients_[0]->hear();
  EXPECT_EQ(text_in(frames), "shown");
  EXPECT_EQ(frames.back().kind, Kind::kExit);
  EXPECT_TRUE(world.ended_);
  EXPECT_FALSE(world.session_->has_clients());
}

TEST(TerminalSession, OutlivesItsClientAndShowsTheNextOneWhatItMissed) {
  SessionWorld world;
  world.print("before\r\n");
  world.clients_[0]->close();
  world.settle();
  EXPECT_EQ(world.session_->info().clients, 0);
  EXPECT_TRUE(of_kind(world.heard(), Kind::kGone).empty()) << "the guest does not notice";
  world.print("meanwhile\r\n");
  FrameEnd& next = world.attach(from_window(kSmall));
  const auto frames = next.hear();
  EXPECT_EQ(text_in(frames), "before\r\nmeanwhile\r\n");
  const auto position = position_in(frames);
  EXPECT_EQ(position.from, 0);
  EXPECT_EQ(position.live, 19);
  world.print("now\r\n");
  EXPECT_EQ(text_in(next.hear()), "now\r\n");
}

TEST(TerminalSession, IsDrainedWithoutAClientAndKeepsTheNewest) {
  SessionWorld world(false);
  world.print("\033[?1049h\033[?25l");
  const std::size_t sent = world.flood(40, [] {});
  EXPECT_GT(sent, 8u << 20) << "it never waits";
  const auto info = world.session_->info();
  EXPECT_EQ(info.output_to, static_cast<std::int64_t>(sent) + 14);
  EXPECT_LE(info.output_to - info.output_from, std::int64_t{wire::kWindow});
  const auto frames = world.attach(from_window(kSmall)).hear();
  const std::string text = text_in(frames);
  EXPECT_LE(text.size(), 128u << 10);
  EXPECT_TRUE(text.starts_with(std::string(99, 'o') + "\n")) << "from a line on";
  EXPECT_EQ(position_in(frames).modes, "\033[?1049h\033[?25l") << "on the screen that the program is on";
}

TEST(TerminalSession, ASingleClientThatDoesNotReadStopsTheProgramAndLosesNothing) {
  SessionWorld world;
  const std::size_t sent = world.flood(50, [] {});
  EXPECT_LE(sent, 2 * wire::kWindow);
  std::string text;
  const auto read = [&] {
    const auto frames = world.clients_[0]->hear();
    EXPECT_TRUE(of_kind(frames, Kind::kPosition).empty());
    text += text_in(frames);
  };
  for (int round = 0; round < 100 && text.size() < sent; ++round) {
    read();
    world.settle();
  }
  EXPECT_EQ(text.size(), sent);
  world.heard();
  const std::size_t more = world.flood(3, read);
  EXPECT_GT(more, 0u) << "it goes on";
}

TEST(TerminalSession, AWatcherThatDoesNotReadStopsNobodyAndIsMovedForward) {
  SessionWorld world;
  FrameEnd& watcher = world.attach(watching());
  watcher.hear();
  std::string text;
  const std::size_t sent = world.flood(40, [&] { text += text_in(world.clients_[0]->hear()); });
  EXPECT_GT(sent, 8u << 20);
  EXPECT_EQ(text.size(), sent) << "the other loses nothing";
  std::string seen;
  std::int64_t skipped = 0;
  for (int round = 0; round < 100; ++round) {
    const auto frames = watcher.hear();
    seen += text_in(frames);
    for (const Frame& frame : of_kind(frames, Kind::kPosition))
      skipped += value_in<wire::OutputPosition>(frame.payload, "position")->skipped;
    world.settle();
  }
  EXPECT_GT(skipped, 0);
  EXPECT_EQ(seen.size() + static_cast<std::size_t>(skipped), sent) << "it knows what it has missed";
  EXPECT_LT(seen.size(), 2u << 20) << "what waited for it was little";
}

TEST(TerminalSession, OneOfTwoClientsThatDoesNotReadDoesNotStopTheOther) {
  SessionWorld world;
  FrameEnd& second = world.attach(from_window(kSmall));
  std::size_t got = text_in(second.hear()).size();
  const std::size_t sent = world.flood(40, [&] { got += text_in(second.hear()).size(); });
  EXPECT_GT(sent, 8u << 20);
  EXPECT_EQ(got, sent);
}

TEST(TerminalSession, AWatcherNeitherTypesNorSignalsNorResizes) {
  SessionWorld world;
  FrameEnd& watcher = world.attach(watching());
  watcher.say(Kind::kData, 1, "rm -rf /");
  watcher.say(Kind::kSignal, 1, std::string(1, SIGKILL));
  const auto size = wire::encode(kLarge);
  watcher.say(Kind::kResize, 1, {size.data(), size.size()});
  world.settle();
  EXPECT_TRUE(world.heard().empty());
  EXPECT_EQ(world.session_->info().watchers, 1);
  EXPECT_EQ(world.session_->info().clients, 1);
}

TEST(TerminalSession, FramesThatAClientMayNotSendDoNotReachTheGuest) {
  SessionWorld world;
  for (const Kind kind :
       {Kind::kOpen, Kind::kStop, Kind::kCredit, Kind::kConfigure, Kind::kGone, Kind::kExit, Kind::kPosition})
    world.clients_[0]->say(kind, 1, "1234");
  world.clients_[0]->say(Kind::kSignal, 1, "12");
  world.clients_[0]->say(Kind::kResize, 1, "123");
  world.settle();
  EXPECT_TRUE(world.heard().empty());
}

std::vector<wire::WindowSize> sizes_in(const std::vector<Frame>& frames) {
  std::vector<wire::WindowSize> sizes;
  for (const Frame& frame : of_kind(frames, Kind::kResize)) sizes.push_back(*wire::decode_window_size(frame.payload));
  return sizes;
}

TEST(TerminalSession, TheWindowIsThatOfTheClientThatWasUsedLast) {
  SessionWorld world;
  FrameEnd& second = world.attach(from_window(kLarge));
  auto sizes = sizes_in(world.heard());
  ASSERT_EQ(sizes.size(), 1u) << "another size is reason enough to draw anew";
  EXPECT_EQ(sizes[0].rows, kLarge.rows);
  world.clients_[0]->say(Kind::kData, 1, "x");
  world.settle();
  sizes = sizes_in(world.heard());
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_EQ(sizes[0].rows, kSmall.rows);
  second.say(Kind::kData, 1, "x");
  world.settle();
  EXPECT_EQ(sizes_in(world.heard()).size(), 1u);
  second.close();
  world.settle();
  sizes = sizes_in(world.heard());
  ASSERT_EQ(sizes.size(), 1u) << "the one that is left";
  EXPECT_EQ(sizes[0].rows, kSmall.rows);
  EXPECT_EQ(world.session_->info().window.columns, kSmall.columns);
}

TEST(TerminalSession, AClientOfTheSameSizeHasTheProgramDrawAnew) {
  SessionWorld world(false);
  world.attach(from_window(kSmall));
  std::vector<wire::WindowSize> sizes;
  ASSERT_TRUE(sbx::testing::run_until(world.loop(), [&] {
    for (const auto size : sizes_in(world.heard())) sizes.push_back(size);
    return sizes.size() >= 2;
  }));
  EXPECT_EQ(sizes[0].rows, kSmall.rows - 1);
  EXPECT_EQ(sizes[1].rows, kSmall.rows);
  EXPECT_EQ(sizes[1].columns, kSmall.columns);
}

TEST(TerminalSession, AClientMayGoOnFromANumber) {
  SessionWorld world(false);
  world.print("0123456789");
  wire::AttachRequest request;
  request.from = 4;
  ASSERT_TRUE(world.session_->check(request));
  FrameEnd& client = world.attach(request);
  const auto frames = client.hear();
  EXPECT_EQ(text_in(frames), "456789");
  EXPECT_EQ(position_in(frames).from, 4);
  EXPECT_TRUE(sizes_in(world.heard()).empty()) << "nothing is drawn anew for it";
  request.from = 10;
  EXPECT_TRUE(world.session_->check(request));
  request.from = 11;
  EXPECT_EQ(world.session_->check(request).error().code(), Code::kInvalid);
  world.flood(20, [&] { client.hear(); });
  request.from = 4;
  const auto position = position_in(world.attach(request).hear());
  EXPECT_GT(position.skipped, 0);
  EXPECT_EQ(position.from - position.skipped, 4);
}

TEST(TerminalSession, OneThatHasEndedShowsItsLastScreenAndItsExit) {
  SessionWorld world(false);
  world.flood(2, [] {});
  world.print("the last line\r\n");
  world.end_->say(Kind::kExit, 1, R"({"code":3})");
  world.settle();
  ASSERT_TRUE(world.session_->exit());
  const auto info = world.session_->info();
  EXPECT_EQ(info.state, wire::SessionState::kEnded);
  EXPECT_LE(info.output_to - info.output_from, std::int64_t{TerminalSession::kKeptAfterEnd});
  FrameEnd& late = world.attach(from_window(kLarge));
  const auto frames = late.hear();
  EXPECT_TRUE(text_in(frames).ends_with("the last line\r\n"));
  ASSERT_EQ(frames.back().kind, Kind::kExit);
  EXPECT_EQ(value_in<wire::ExecExit>(frames.back().payload, "exit")->code, 3);
  EXPECT_FALSE(world.session_->has_clients());
  EXPECT_TRUE(sizes_in(world.heard()).empty());
}

TEST(TerminalSession, AClientThatIsSlowStillGetsTheEnd) {
  SessionWorld world;
  const std::size_t sent = world.flood(20, [] {});
  world.end_->say(Kind::kExit, 1, R"({"code":3})");
  world.settle();
  std::vector<Frame> frames;
  for (int round = 0; round < 200 && (frames.empty() || frames.back().kind != Kind::kExit); ++round) {
    for (Frame& frame : world.clients_[0]->hear()) frames.push_back(std::move(frame));
    world.settle();
  }
  EXPECT_EQ(text_in(frames).size(), sent);
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames.back().kind, Kind::kExit);
}

TEST(TerminalSession, WhoWantsToBeAloneIsRefusedWhereAnotherTypes) {
  SessionWorld world;
  wire::AttachRequest request;
  request.alone = true;
  EXPECT_EQ(world.session_->check(request).error().code(), Code::kConflict);
  world.attach(watching());
  world.clients_[0]->close();
  world.settle();
  EXPECT_TRUE(world.session_->check(request)) << "a watcher is no company";
}

TEST(TerminalSession, HasSoManyClientsAndNoMore) {
  SessionWorld world(false);
  for (std::size_t i = 0; i < TerminalSession::kMostClients; ++i) {
    ASSERT_TRUE(world.session_->check(watching()));
    world.attach(watching());
  }
  EXPECT_EQ(world.session_->check(watching()).error().code(), Code::kConflict);
}

TEST(TerminalSession, IsEndedBySignals) {
  SessionWorld world;
  world.session_->end();
  world.settle();
  std::string signals;
  for (const Frame& frame : of_kind(world.heard(), Kind::kSignal)) signals += frame.payload;
  EXPECT_EQ(signals, (std::string{SIGHUP, SIGTERM, SIGCONT}));
}

TEST(TerminalSession, WhatIsTypedWhileTheProgramDoesNotReadWaitsInTheClientsSocket) {
  SessionWorld world;
  const std::string frame = testing::bytes_of(Kind::kData, 1, std::string(64 << 10, 'i'));
  std::size_t at_guest = 0;
  for (int round = 0; round < 40; ++round) {
    world.clients_[0]->say_some(frame);
    world.settle();
    for (const auto& heard : world.heard()) at_guest += heard.payload.size();
  }
  EXPECT_LE(at_guest, std::size_t{wire::kWindow});
  EXPECT_GT(at_guest, 0u);
}

TEST(TerminalSession, ALongCommandIsToldInPart) {
  ReadyWorld world;
  wire::ExecRequest request;
  request.command = {"sh", "-c", std::string(100'000, 'x'), "more"};
  request.tty = true;
  request.environment = {{"SECRET", "word"}};
  TerminalSession session(world.loop(), *world.guest_, 1, request, {});
  session.open(std::nullopt);
  const auto info = session.info();
  EXPECT_LT(text_of(info).size(), 4096u);
  ASSERT_EQ(info.command.size(), 3u);
  EXPECT_TRUE(info.command[2].ends_with("x..."));
  world.settle();
  const auto asked = world.end_->hear();
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_GT(asked[0].payload.size(), 100'000u) << "the guest has all of it";
}

}  // namespace
}  // namespace sbx::shim
