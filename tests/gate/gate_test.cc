// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/gate.h"

#include <filesystem>

#include "world.h"

namespace sbx::gate {
namespace {

using testing::address;
using testing::Answer;
using testing::Upstream;
using testing::World;

TEST(Gate, HandsOverASocketThatIsConnected) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  const Answer answer = world.dial("nas.example.com", upstream.port());
  EXPECT_EQ(answer.reached().address, address("127.0.0.1"));
  ASSERT_TRUE(answer.socket);
  EXPECT_TRUE(upstream.visited());
  EXPECT_NE(::fcntl(answer.socket.get(), F_GETFL) & O_NONBLOCK, 0);
}

TEST(Gate, AsksThePolicyWhateverTheShimHasDecided) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com");
  world.rules().blocked.push_back(*policy::Pattern::parse("evil.example.com"));
  world.start();
  const Answer answer = world.dial("evil.example.com", upstream.port());
  EXPECT_TRUE(answer.refused());
  EXPECT_EQ(answer.refusal().rule, "evil.example.com");
  EXPECT_FALSE(answer.socket);
}

TEST(Gate, SaysWithTheSocketWhatMayPassThere) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1")
      .static_host("raw.example.com", "127.0.0.1")
      .allow("nas.example.com");
  world.rules().otherwise = policy::Mark::kBlock;
  world.rules().raw.push_back(*policy::Pattern::parse("raw.example.com:" + std::to_string(upstream.port())));
  world.start();
  EXPECT_EQ(world.dial("nas.example.com", upstream.port()).reached().verdict.passes, policy::Passes::kHttp);
  EXPECT_EQ(world.dial("raw.example.com", upstream.port()).reached().verdict.passes, policy::Passes::kRaw);
  EXPECT_TRUE(world.dial("raw.example.com", 443).refused());
}

TEST(Gate, HalfARequestOnItsSocketStopsNeitherTheNetworkNorOtherAskers) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  const std::string body = R"({"op":"ports","ports":[]})";
  const auto length = static_cast<std::uint32_t>(body.size());
  const std::string whole = std::string(reinterpret_cast<const char*>(&length), sizeof length) + body;
  const Fd half = std::move(*connect_unix(world.state_ / "network.sock"));
  ASSERT_TRUE(write_all(half, whole.substr(0, 6)));
  EXPECT_TRUE(world.ask({{"op", "ports"}, {"ports", Json::array()}}).contains("ports"));
  EXPECT_TRUE(world.dial("nas.example.com", upstream.port()).socket);
  // It was not given up, which is what a gate that waits for it does first.
  ASSERT_TRUE(write_all(half, whole.substr(6)));
  const auto answer = receive_message(half);
  ASSERT_TRUE(answer && *answer);
  EXPECT_NE((*answer)->body.find("ports"), std::string::npos);
}

// A name below a wildcard that points at the host itself: rebinding.
TEST(Gate, RefusesANameThatResolvesIntoABlockedRange) {
  const Upstream upstream;
  World world;
  world.static_host("rebound.example.com", "127.0.0.1").allow("*.example.com").start();
  const Answer answer = world.dial("rebound.example.com", upstream.port());
  EXPECT_TRUE(answer.refused());
  EXPECT_EQ(answer.refusal().reason, policy::Reason::kRange);
  EXPECT_EQ(answer.refusal().detail, "127.0.0.1");
  EXPECT_FALSE(answer.socket);
  EXPECT_FALSE(upstream.visited());
}

TEST(Gate, DialsOfSeveralAddressesOnlyThoseThatPass) {
  const Upstream refused("127.0.0.1");
  const Upstream allowed("127.1.2.3", refused.port());
  World world;
  world.static_host("mixed.example.com", "127.0.0.1").static_host("mixed.example.com", "127.1.2.3");
  world.rules().allowed_ranges.push_back(*policy::Cidr::parse("127.1.2.0/24"));
  world.start();
  const Answer answer = world.dial("mixed.example.com", refused.port());
  EXPECT_EQ(answer.reached().address, address("127.1.2.3"));
  EXPECT_TRUE(answer.socket);
  EXPECT_FALSE(refused.visited());
}

TEST(Gate, RefusesAddressesOfEveryBlockedRange) {
  World world;
  world.start();
  for (const char* host : {"127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0",
                           "[64:ff9b::7f00:1]", "192.168.1.1", "100.64.0.1", "[fe80::1]"}) {
    const Answer answer = world.dial(host, 80);
    EXPECT_TRUE(answer.refused()) << host;
    EXPECT_FALSE(answer.socket) << host;
  }
}

TEST(Gate, ReachesTheHostsOwnPortsByEitherOfItsNames) {
  const Upstream upstream;
  World world;
  world.allow("localhost:" + std::to_string(upstream.port())).start();
  EXPECT_TRUE(world.dial("host.docker.internal", upstream.port()).socket);
  EXPECT_TRUE(world.dial("localhost", upstream.port()).socket);
  EXPECT_TRUE(world.dial("127.0.0.1", upstream.port()).refused());
}

TEST(Gate, TriesTheSecondAddressOfTheHostWhenTheFirstIsRefused) {
  const Upstream upstream("::1");
  World world;
  world.allow("localhost:" + std::to_string(upstream.port())).start();
  EXPECT_EQ(world.dial("localhost", upstream.port()).reached().address, address("::1"));
}

TEST(Gate, SaysWhyAConnectionFailed) {
  std::uint16_t closed = 0;
  { closed = Upstream().port(); }
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  const Answer answer = world.dial("nas.example.com", closed);
  EXPECT_EQ(answer.failure(), "connect to 127.0.0.1:" + std::to_string(closed) + ": Connection refused");
}

TEST(Gate, FollowsAChangedPolicyAtOnceAndSaysSoWhenTheShimDoes) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  EXPECT_TRUE(world.dial("nas.example.com", upstream.port()).socket);
  policy::Rules strict = policy::default_rules();
  strict.otherwise = policy::Mark::kBlock;
  EXPECT_EQ(world.change_policy(strict), Json({{"ok", true}}));
  EXPECT_EQ(world.policies_, 1);
  EXPECT_TRUE(world.dial("nas.example.com", upstream.port()).refused());
}

TEST(Gate, PassesOnAPolicyOfAnySize) {
  World world;
  world.start();
  policy::Rules rules = policy::default_rules();
  for (int i = 0; i < 5000; ++i)
    rules.allowed.push_back(*policy::Pattern::parse("host" + std::to_string(i) + ".example.com"));
  EXPECT_EQ(world.change_policy(rules), Json({{"ok", true}}));
  EXPECT_EQ(world.policies_, 1);
}

TEST(Gate, KeepsNoConnectionThatTheShimHasEnded) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  const auto descriptors = [&world] {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& each :
         std::filesystem::directory_iterator("/proc/" + std::to_string(world.pid_) + "/fd"))
      ++count;
    return count;
  };
  const std::size_t before = descriptors();  // perhaps with the pipe of the one that makes the log
  for (int i = 0; i < 50; ++i) {
    const Answer answer = world.dial("nas.example.com", upstream.port());
    ASSERT_TRUE(answer.socket);
    ::shutdown(answer.socket.get(), SHUT_RDWR);
  }
  const Ticket cancelled = world.send_dial("nas.example.com", upstream.port());
  ASSERT_TRUE(world.until([&] { return world.answers_.contains(cancelled); }));
  world.line_->send(encode(Cancel{cancelled}));
  EXPECT_TRUE(world.until([&] { return descriptors() <= before; }));
}

TEST(Gate, TellsWhenTheShimDoesNotEnforceAPolicy) {
  World world;
  world.start();
  world.enforces_ = false;
  const Json answer = world.change_policy(policy::default_rules());
  ASSERT_TRUE(answer.contains("error")) << dump(answer);
  EXPECT_EQ(answer["error"]["code"], "timeout");
}

TEST(Gate, RefusesAPolicyThatItDoesNotUnderstandAndKeepsTheOldOne) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  EXPECT_TRUE(world.ask({{"op", "policy"}, {"rules", {{"policy", "perhaps"}}}}).contains("error"));
  EXPECT_TRUE(world.ask({{"op", "policy"}}).contains("error"));
  EXPECT_TRUE(world.ask({{"op", "open sesame"}}).contains("error"));
  EXPECT_TRUE(world.dial("nas.example.com", upstream.port()).socket);
  EXPECT_EQ(world.policies_, 0);
}

TEST(Gate, KeepsTheLog) {
  World world;
  world.start();
  netlog::Record record;
  record.id = 7;
  record.host = "example.com";
  record.port = 443;
  std::string packed = netlog::pack(record);
  record.id = 8;
  packed += netlog::pack(record);
  world.line_->send(encode_records(packed));
  const netlog::Database log(world.state_.path());
  EXPECT_TRUE(world.until([&] {
    const auto records = log.records({});
    return records && records->size() == 2;
  }));
}

TEST(Gate, AFlushIsAnsweredWhenWhatTheShimHeldBackIsInTheLog) {
  World world;
  world.start();
  netlog::Record record;
  record.host = "example.com";
  for (record.id = 1; record.id <= 100; ++record.id) world.unsent_ += netlog::pack(record);
  EXPECT_EQ(world.ask({{"op", "flush"}}), Json({{"ok", true}}));
  EXPECT_EQ(netlog::Database(world.state_.path()).records({})->size(), 100u);
  EXPECT_EQ(world.ask({{"op", "flush"}}), Json({{"ok", true}})) << "also when there is nothing to write";
}

TEST(Gate, AShimThatDoesNotFlushHoldsNobodyUp) {
  World world;
  world.start();
  world.flushes_ = false;
  netlog::Record record;
  record.id = 1;
  world.line_->send(encode_records(netlog::pack(record)));
  EXPECT_EQ(world.ask({{"op", "flush"}}), Json({{"ok", true}}));
  EXPECT_EQ(netlog::Database(world.state_.path()).records({})->size(), 1u);
  world.line_->send(encode(Flushed{1}));
  world.line_->send(encode(Flushed{77}));
  EXPECT_EQ(world.ask({{"op", "ports"}}), Json({{"ports", Json::array()}})) << "it is told too late, or nonsense";
}

TEST(Gate, AFlushTellsWhatIsNotInTheLog) {
  World world;
  world.start();
  world.line_->send(encode(Lost{{3, 1000, 2000}}));
  world.line_->send(encode(Lost{{1, 1500, 2500}}));
  const Json answer = world.ask({{"op", "flush"}});
  EXPECT_EQ(answer, Json({{"ok", true}, {"unwritten", {{"count", 4}, {"first_us", 1000}, {"last_us", 2500}}}}));
  EXPECT_EQ(*netlog::Database(world.state_.path()).losses(), (netlog::Losses{4, 1000, 2500}));
}

// Confined as it is.
TEST(Gate, HasALogWithItsRoomBeforeAnythingIsDecided) {
  World world;
  world.start();
  const std::string file = world.state_ / "network/network.db";
  EXPECT_TRUE(world.until([&] {
    std::error_code none;
    return std::filesystem::file_size(file + "-journal", none) >= 128 << 10 && !none;
  }));
  EXPECT_GE(std::filesystem::file_size(file), 256u << 10);
  EXPECT_TRUE(netlog::Database(world.state_.path()).summaries()->empty());
}

TEST(Gate, StaticHostsCanBeChangedWhileItServes) {
  World world;
  world.allow("db.test").start();
  const Upstream upstream;
  EXPECT_FALSE(world.dial("db.test", upstream.port()).socket);
  const Json hosts = Json::array({{{"name", "db.test"}, {"address", "127.0.0.1"}}});
  EXPECT_EQ(world.ask({{"op", "hosts"}, {"hosts", hosts}}), Json({{"ok", true}}));
  EXPECT_TRUE(world.dial("db.test", upstream.port()).socket);
  EXPECT_TRUE(world.ask({{"op", "hosts"}, {"hosts", Json::array({{{"name", "db.test"}, {"address", "x"}}})}})
                  .contains("error"));
  EXPECT_TRUE(world.dial("db.test", upstream.port()).socket) << "all or nothing";
}

TEST(Gate, WritesWhatItHasHeardBeforeItEnds) {
  World world;
  world.start();
  netlog::Record record;
  for (record.id = 1; record.id <= 1000; ++record.id) world.line_->send(encode_records(netlog::pack(record)));
  ASSERT_TRUE(world.until([&] { return world.line_->queued() == 0; }));
  world.line_.reset();
  ::waitpid(world.pid_, nullptr, 0);
  world.pid_ = -1;
  EXPECT_EQ(netlog::Database(world.state_.path()).records({})->size(), 1000u);
}

TEST(Gate, EndsWithItsShim) {
  World world;
  world.start();
  world.line_.reset();
  int status = -1;
  ::waitpid(world.pid_, &status, 0);
  world.pid_ = -1;
  EXPECT_EQ(status, 0);
}

// kill -9: no line is closed by hand. The shim is a child that starts a gate and hangs.
TEST(Gate, EndsWhenItsShimIsKilled) {
  World world;
  const Pipe pipe = *make_pipe();
  const pid_t shim = ::fork();
  if (shim == 0) {
    auto started = gate::start(world.network_, world.options_);
    const pid_t gate = started ? started->pid : -1;
    (void)!::write(pipe.write.get(), &gate, sizeof gate);
    for (;;) ::pause();
  }
  pid_t gate = -1;
  ASSERT_EQ(::read(pipe.read.get(), &gate, sizeof gate), static_cast<ssize_t>(sizeof gate));
  ASSERT_GT(gate, 0);
  const auto handle = open_pidfd(gate);
  ASSERT_TRUE(handle);
  ::kill(shim, SIGKILL);
  ::waitpid(shim, nullptr, 0);
  pollfd state{handle->get(), POLLIN, 0};
  EXPECT_EQ(::poll(&state, 1, 60'000), 1);
  EXPECT_TRUE(world.try_start()) << "the next one has the place for itself";
}

}  // namespace
}  // namespace sbx::gate
