// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/guest.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/clock.h"
#include "base/json.h"
#include "fake_guest.h"

namespace sbx::shim {
namespace {

using testing::GuestWorld;
using testing::ReadyWorld;
using wire::Kind;

constexpr std::uint32_t kGuestStream = wire::kFirstGuestStream;

class Recorder : public Listener {
 public:
  void opened(std::int64_t pid) override { pid_ = pid; }
  void output(Kind, std::string_view bytes) override {
    ++outputs_;
    output_ += bytes;
  }
  void writable() override { ++writable_; }
  void ended(const wire::ExecExit& exit) override { exit_ = exit; }

  std::int64_t pid_ = 0;
  std::string output_;
  int outputs_ = 0;
  int writable_ = 0;
  std::optional<wire::ExecExit> exit_;
};

wire::ExecRequest echo() {
  wire::ExecRequest request;
  request.command = {"echo"};
  return request;
}

std::string credit(std::uint32_t bytes) {
  const auto encoded = wire::encode_u32(bytes);
  return std::string(encoded.data(), encoded.size());
}

std::string hello() { return dump({{"version", SANDBOXD_VERSION "+" SANDBOXD_COMMIT}}); }

TEST(Guest, IsConfiguredAfterItsHelloAndReadyAfterItSaysSo) {
  GuestWorld world;
  world.end_->say(Kind::kHello, 0, dump({{"version", SANDBOXD_VERSION "+" SANDBOXD_COMMIT}}));
  world.settle();
  const auto heard = world.end_->hear();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, Kind::kConfigure);
  EXPECT_FALSE(world.ready_);
  world.end_->say(Kind::kReady, 0, R"({"timings":{"users":12}})");
  world.settle();
  EXPECT_TRUE(world.ready_);
}

std::int64_t clock_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(now().time_since_epoch()).count();
}

TEST(Guest, IsToldTheTimeOfItsHelloAndNotThatOfItsStart) {
  constexpr std::int64_t kAtItsStart = 1;
  const auto told = [](std::int64_t configured) {
    GuestWorld world(configured);
    world.end_->say(Kind::kHello, 0, dump({{"version", SANDBOXD_VERSION "+" SANDBOXD_COMMIT}}));
    world.settle();
    return parse_json(world.end_->hear().at(0).payload)->at("clock_us").get<std::int64_t>();
  };
  const std::int64_t before = clock_us();
  EXPECT_GE(told(kAtItsStart), before);
  EXPECT_EQ(told(0), 0) << "it shares the host's clock";
}

TEST(Guest, OfAnotherVersionIsRefused) {
  GuestWorld world;
  world.end_->say(Kind::kHello, 0, R"({"version":"v0.0.1"})");
  world.settle();
  EXPECT_TRUE(world.lost_);
}

TEST(Guest, ThatIsCutOffEndsEveryExecWithTheReason) {
  ReadyWorld world;
  Recorder first;
  Recorder second;
  const auto stream = world.guest_->open(echo(), first);
  world.guest_->open(echo(), second);
  world.guest_->end("QEMU was killed (signal 9)");
  for (const Recorder* exec : {&first, &second}) {
    ASSERT_TRUE(exec->exit_);
    EXPECT_EQ(exec->exit_->code, 125);
    EXPECT_EQ(exec->exit_->error, "QEMU was killed (signal 9)");
  }
  // Whoever still holds the number may go on using it.
  world.guest_->send_stdin(stream, "late");
  world.guest_->consumed(stream, 1 << 20);
  world.guest_->abandon(stream);
  world.guest_->stop(std::chrono::seconds(1));
  EXPECT_EQ(world.guest_->execs(), 0u);
}

TEST(Guest, IsToldTheTime) {
  ReadyWorld world;
  world.guest_->tell_time(42);
  const auto heard = world.end_->hear();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, Kind::kClock);
  EXPECT_EQ(heard[0].payload, R"({"clock_us":42})");
}

// Each is something that only a hostile guest would send. It must lose its channel, and nothing else may happen.
TEST(Guest, ThatBreaksTheRulesLosesItsChannel) {
  const std::string big(wire::kLargestPayload, 'x');
  const std::vector<std::pair<const char*, std::function<void(testing::FrameEnd&)>>> attacks{
      {"a stream that is not open", [](auto& end) { end.say(Kind::kOut, 99, "x"); }},
      {"a stream number of the future", [](auto& end) { end.say(Kind::kExit, 2, R"({"code":0})"); }},
      {"a host's frame on its own stream", [](auto& end) { end.say(Kind::kData, 1, "x"); }},
      {"an open from the guest", [](auto& end) { end.say(Kind::kOpen, 1, R"({"command":["sh"]})"); }},
      {"a configure from the guest", [](auto& end) { end.say(Kind::kConfigure, 0, "{}"); }},
      {"a stop from the guest", [](auto& end) { end.say(Kind::kStop, 0, "{}"); }},
      {"output beyond the window",
       [&](auto& end) {
         for (int i = 0; i < 5; ++i) end.say(Kind::kOut, 1, big);
       }},
      {"credit beyond the window", [](auto& end) { end.say(Kind::kCredit, 1, credit(1)); }},
      {"credit that overflows", [](auto& end) { end.say(Kind::kCredit, 1, credit(0xffffffff)); }},
      {"credit of three bytes", [](auto& end) { end.say(Kind::kCredit, 1, "abc"); }},
      {"an exit that is not JSON", [](auto& end) { end.say(Kind::kExit, 1, "{{{{"); }},
      {"an exit code of 300", [](auto& end) { end.say(Kind::kExit, 1, R"({"code":300})"); }},
      {"an exit with more to say", [](auto& end) { end.say(Kind::kExit, 1, R"({"code":0,"run":"rm -rf /"})"); }},
      {"an opened without a pid", [](auto& end) { end.say(Kind::kOpened, 1, "{}"); }},
      {"a second opened",
       [](auto& end) {
         end.say(Kind::kOpened, 1, R"({"pid":7})");
         end.say(Kind::kOpened, 1, R"({"pid":7})");
       }},
      {"an opened after the exit",
       [](auto& end) {
         end.say(Kind::kExit, 1, R"({"code":0})");
         end.say(Kind::kOpened, 1, R"({"pid":7})");
       }},
      {"output after the exit",
       [](auto& end) {
         end.say(Kind::kExit, 1, R"({"code":0})");
         end.say(Kind::kOut, 1, "x");
       }},
      {"a second hello", [](auto& end) { end.say(Kind::kHello, 0, hello()); }},
      {"a second ready", [](auto& end) { end.say(Kind::kReady, 0, "{}"); }},
      {"a failure after it was ready", [](auto& end) { end.say(Kind::kFailed, 0, "{}"); }},
      {"a clock from the guest", [](auto& end) { end.say(Kind::kClock, 0, R"({"clock_us":1})"); }},
      {"output of no stream", [](auto& end) { end.say(Kind::kOut, 0, "x"); }},
      {"an exit of no stream", [](auto& end) { end.say(Kind::kExit, 0, R"({"code":0})"); }},
      {"credit of no stream", [](auto& end) { end.say(Kind::kCredit, 0, credit(1)); }},
      {"a hello on a stream", [](auto& end) { end.say(Kind::kHello, 1, hello()); }},
      {"a log line on a stream", [](auto& end) { end.say(Kind::kLog, 1, "x"); }},
      {"a connection on a stream of the host's",
       [](auto& end) { end.say(Kind::kConnect, 2, R"({"host":"a","port":1})"); }},
      {"a connection to nowhere", [](auto& end) { end.say(Kind::kConnect, kGuestStream, "{}"); }},
      {"a connection to port 0", [](auto& end) { end.say(Kind::kConnect, kGuestStream, R"({"host":"a","port":0})"); }},
      {"an accept from the guest", [](auto& end) { end.say(Kind::kAccept, kGuestStream, R"({"port":80})"); }},
      {"bytes of a connection that was never opened", [](auto& end) { end.say(Kind::kData, kGuestStream, "x"); }},
      {"an exec on a stream of its own",
       [](auto& end) { end.say(Kind::kOpen, kGuestStream, R"({"command":["sh"]})"); }},
      {"an unknown kind", [](auto& end) { end.say_raw(std::string("\0\0\0\0\x01\0\0\0\x63\0\0\0", 12)); }},
      {"a frame of four gigabytes",
       [](auto& end) { end.say_raw(std::string("\xff\xff\xff\xff\x01\0\0\0\x14\0\0\0", 12)); }},
      {"a second exit",
       [](auto& end) {
         end.say(Kind::kExit, 1, R"({"code":0})");
         end.say(Kind::kExit, 1, R"({"code":0})");
       }},
  };
  for (const auto& [name, attack] : attacks) {
    ReadyWorld world;
    Recorder recorder;
    ASSERT_EQ(world.guest_->open(echo(), recorder), 1u);
    attack(*world.end_);
    world.settle();
    EXPECT_TRUE(world.lost_) << name;
  }
}

// Before it has said hello, and before it was ready, there is little that it may say.
TEST(Guest, ThatSpeaksOutOfTurnLosesItsChannel) {
  const std::string configured = testing::bytes_of(Kind::kHello, 0, hello());
  const std::vector<std::pair<const char*, std::string>> attacks{
      {"ready before hello", testing::bytes_of(Kind::kReady, 0, "{}")},
      {"a connection before hello", testing::bytes_of(Kind::kConnect, kGuestStream, R"({"host":"a","port":1})")},
      {"a credit before hello", testing::bytes_of(Kind::kCredit, 1, credit(1))},
      {"a reset before hello", testing::bytes_of(Kind::kReset, kGuestStream, "")},
      {"two hellos", configured + configured},
      {"a connection before ready",
       configured + testing::bytes_of(Kind::kConnect, kGuestStream, R"({"host":"a","port":1})")},
      {"output before ready", configured + testing::bytes_of(Kind::kOut, 1, "x")},
      {"timings that are not numbers", configured + testing::bytes_of(Kind::kReady, 0, R"({"timings":{"a":"b"}})")},
  };
  for (const auto& [name, bytes] : attacks) {
    GuestWorld world;
    world.end_->say_raw(bytes);
    world.settle();
    EXPECT_TRUE(world.lost_) << name;
    EXPECT_FALSE(world.ready_) << name;
    EXPECT_TRUE(world.connected_.empty()) << name;
  }
}

// Whatever it says, in every place: it is heard, ignored or cut off, and makes the host keep next to nothing.
TEST(Guest, MaySayAnythingAnywhere) {
  const std::vector<std::string> payloads{"",
                                          "{}",
                                          "null",
                                          R"({"pid":1,"code":0,"timings":{},"version":"x","host":"a","port":1})",
                                          R"({"pid":-1})",
                                          R"({"code":0})",
                                          R"({"host":"a","port":1})",
                                          std::string(4, '\0'),
                                          std::string(4, '\xff'),
                                          std::string(wire::kLargestPayload, '['),
                                          std::string(wire::kLargestPayload, '\x1b')};
  ::testing::internal::CaptureStderr();  // some of it is for the log
  for (int kind = 0; kind < 40; ++kind)
    for (const std::uint32_t stream : {0u, 1u, 2u, 7u, kGuestStream, kGuestStream + 1, 0xffff'ffffu})
      for (const std::string& payload : payloads) {
        ReadyWorld world;
        Recorder recorder;
        world.guest_->open(echo(), recorder);
        const auto visitor = world.guest_->accept({.port = 8080});
        world.end_->hear();
        const std::string frame = testing::bytes_of(static_cast<Kind>(kind), stream, payload);
        for (int i = 0; i < 3 && !world.lost_; ++i) {
          world.end_->say_some(frame);
          world.settle();
        }
        EXPECT_LE(world.end_->hear().size(), 3u) << kind << " on " << stream;
        EXPECT_EQ(world.guest_->unread(), 0u) << kind << " on " << stream;
        EXPECT_LE(world.connected_.size(), 1u) << kind << " on " << stream;
      }
  ::testing::internal::GetCapturedStderr();
}

TEST(Guest, EmptyOutputIsPassedToNobody) {
  ReadyWorld world;
  Recorder recorder;
  world.guest_->open(echo(), recorder);
  for (int i = 0; i < 100; ++i) world.end_->say(i % 2 == 0 ? Kind::kOut : Kind::kErr, 1);
  world.settle();
  EXPECT_EQ(recorder.outputs_, 0);
  EXPECT_FALSE(world.lost_);
}

// Each connection over the limit is answered with a reset, which it does not read.
TEST(Guest, ThatReadsNoAnswersIsCutOffBeforeTheyFillTheMemory) {
  ReadyWorld world;
  Recorder recorder;
  const auto stream = world.guest_->open(echo(), recorder);
  // Something else fills most of it, to make this test shorter.
  const std::string piece(wire::kLargestPayload, 'i');
  while (world.guest_->unread() + 2 * piece.size() < channel::kMostUnread) world.guest_->send_stdin(stream, piece);
  std::string flood;
  std::uint32_t number = kGuestStream;
  std::size_t most = 0;
  for (int round = 0; round < 1000 && !world.lost_; ++round) {
    flood.clear();
    for (int i = 0; i < 1024; ++i) flood += testing::bytes_of(Kind::kConnect, number++, R"({"host":"a","port":1})");
    world.end_->say_some(flood);
    world.settle();
    world.connected_.clear();  // which answers each with a reset
    most = std::max(most, world.guest_->unread());
  }
  EXPECT_TRUE(world.lost_);
  EXPECT_LE(most, channel::kMostUnread);
}

TEST(Guest, OutputIsDeliveredAndCreditIsGivenAsItIsConsumed) {
  ReadyWorld world;
  Recorder recorder;
  const auto stream = world.guest_->open(echo(), recorder);
  world.end_->hear();
  const std::string piece(wire::kLargestPayload, 'o');
  for (int i = 0; i < 4; ++i) world.end_->say(Kind::kOut, stream, piece);
  world.settle();
  EXPECT_EQ(recorder.output_.size(), std::size_t{wire::kWindow});
  EXPECT_TRUE(world.end_->hear().empty()) << "nothing was consumed, so there is no credit";
  world.guest_->consumed(stream, wire::kWindow);
  const auto heard = world.end_->hear();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, Kind::kCredit);
  EXPECT_EQ(wire::decode_u32(heard[0].payload), wire::kWindow);
}

TEST(Guest, StdinStopsAtTheWindowUntilThereIsCredit) {
  ReadyWorld world;
  Recorder recorder;
  const auto stream = world.guest_->open(echo(), recorder);
  const std::string piece(wire::kLargestPayload, 'i');
  while (world.guest_->room(stream) >= piece.size()) world.guest_->send_stdin(stream, piece);
  EXPECT_EQ(world.guest_->room(stream), 0u);
  world.end_->say(Kind::kCredit, stream, credit(100));
  world.settle();
  EXPECT_EQ(world.guest_->room(stream), 100u);
  EXPECT_EQ(recorder.writable_, 1);
}

TEST(Guest, AnAbandonedStreamKeepsItsProgramRunning) {
  ReadyWorld world;
  Recorder recorder;
  const auto stream = world.guest_->open(echo(), recorder);
  world.guest_->abandon(stream);
  const std::string piece(wire::kLargestPayload, 'o');
  for (int i = 0; i < 4; ++i) world.end_->say(Kind::kOut, stream, piece);
  world.settle();
  EXPECT_FALSE(world.lost_);
  EXPECT_EQ(recorder.output_, "");
  std::uint32_t given = 0;
  for (const auto& frame : world.end_->hear())
    if (frame.kind == Kind::kCredit) given += *wire::decode_u32(frame.payload);
  EXPECT_EQ(given, wire::kWindow);
  world.end_->say(Kind::kExit, stream, R"({"code":3})");
  world.settle();
  EXPECT_FALSE(recorder.exit_);
  EXPECT_EQ(world.guest_->execs(), 0u);
}

struct Ear final : streams::Stream::Listener {
  void received(std::string_view bytes) override { got += bytes; }
  void ended() override {}
  void failed(const Error& why) override { failure = why.what(); }
  void drained() override {}
  std::string got;
  std::optional<std::string> failure;
};

TEST(Guest, ThatConnectsIsHandedOver) {
  ReadyWorld world;
  world.end_->say(Kind::kConnect, kGuestStream, R"({"host":"example.com","port":443})");
  world.end_->say(Kind::kData, kGuestStream, "hello");
  world.settle();
  ASSERT_EQ(world.connected_.size(), 1u);
  auto& [wanted, stream] = world.connected_[0];
  EXPECT_EQ(wanted.host, "example.com");
  EXPECT_EQ(wanted.port, 443);
  Ear ear;
  stream->listen(ear);
  world.settle();
  EXPECT_EQ(ear.got, "hello");
  stream.reset();
  const auto heard = world.end_->hear();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, Kind::kReset);
  world.end_->say(Kind::kData, kGuestStream, "it has crossed the reset");
  world.settle();
  EXPECT_FALSE(world.lost_);
}

TEST(Guest, IsToldOfSomebodyAtAPublishedPort) {
  ReadyWorld world;
  Recorder recorder;
  world.guest_->open(echo(), recorder);
  world.end_->hear();
  const auto stream = world.guest_->accept({.port = 8080});
  const auto heard = world.end_->hear();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, Kind::kAccept);
  EXPECT_EQ(heard[0].stream, 2u) << "one count for execs and connections";
  EXPECT_EQ(heard[0].payload, R"({"port":8080})");
  world.end_->say(Kind::kReset, 2);
  Ear ear;
  stream->listen(ear);
  world.settle();
  EXPECT_TRUE(ear.failure);
}

TEST(Guest, ThatIsCutOffFailsItsConnections) {
  ReadyWorld world;
  const auto stream = world.guest_->accept({.port = 8080});
  Ear ear;
  stream->listen(ear);
  world.guest_->end("QEMU was killed (signal 9)");
  EXPECT_EQ(ear.failure, "QEMU was killed (signal 9)");
  EXPECT_EQ(world.guest_->accept({.port = 8080}), nullptr);
}

}  // namespace
}  // namespace sbx::shim
