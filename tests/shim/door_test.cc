// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/door.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "policy/rules_file.h"
#include "support/run_loop.h"

namespace sbx::shim {
namespace {

// A door whose gate the test plays.
class World {
 public:
  World() : loop_(*loop::Loop::create()) {
    SocketPair pair = std::move(*gate::make_line());
    gate_ = std::make_unique<gate::Line>(
        *loop_, std::move(pair.theirs), [this](std::string_view bytes, const Fd&) { heard_.emplace_back(bytes); },
        [] {});
    door_ = std::make_unique<Door>(
        *loop_, std::move(pair.ours),
        Door::Handlers{[this](const policy::Rules& rules) { rules_.push_back(rules); },
                       [this](std::uint16_t port, Fd socket) { accepted_.emplace_back(port, std::move(socket)); }});
  }

  [[nodiscard]] bool until(const std::function<bool()>& is_so) { return sbx::testing::run_until(*loop_, is_so); }

  Door::Ticket dial() {
    return door_->dial({*policy::Host::parse("example.com"), 443},
                       [this](proxy::Dialed dialed) { dialed_.push_back(std::move(dialed)); });
  }

  gate::FromShim message(std::size_t number) { return *gate::decode_from_shim(heard_.at(number)); }

  std::unique_ptr<loop::Loop> loop_;
  std::vector<std::string> heard_;
  std::vector<policy::Rules> rules_;
  std::vector<std::pair<std::uint16_t, Fd>> accepted_;
  std::vector<proxy::Dialed> dialed_;
  std::unique_ptr<gate::Line> gate_;
  std::unique_ptr<Door> door_;
};

gate::Reached reached() {
  return {{policy::Decision::kTunnel, policy::Reason::kRule, "example.com", {}}, *policy::Address::parse("192.0.2.1")};
}

Fd some_descriptor() { return *open_path("/dev/null", O_RDONLY); }

TEST(Door, PassesADialOnAndTheAnswerBack) {
  World world;
  const auto ticket = world.dial();
  ASSERT_TRUE(world.until([&] { return !world.heard_.empty(); }));
  const auto dial = std::get<gate::Dial>(world.message(0));
  EXPECT_EQ(dial.ticket, ticket);
  EXPECT_EQ(dial.target.text(), "example.com:443");
  world.gate_->send(encode(gate::Dialed{ticket, reached()}), some_descriptor());
  ASSERT_TRUE(world.until([&] { return !world.dialed_.empty(); }));
  const auto& outcome = std::get<proxy::Reached>(world.dialed_[0]);
  EXPECT_EQ(outcome.verdict.decision, policy::Decision::kTunnel);
  EXPECT_EQ(outcome.verdict.rule, "example.com");
  EXPECT_EQ(outcome.address, policy::Address::parse("192.0.2.1"));
  EXPECT_TRUE(outcome.socket);
}

TEST(Door, CallsNobodyBackWhoHasCancelled) {
  World world;
  const auto cancelled = world.dial();
  world.door_->cancel(cancelled);
  const auto other = world.dial();
  ASSERT_TRUE(world.until([&] { return world.heard_.size() == 3; }));
  EXPECT_EQ(std::get<gate::Cancel>(world.message(1)).ticket, cancelled);
  world.gate_->send(encode(gate::Dialed{cancelled, reached()}), some_descriptor());
  world.gate_->send(encode(gate::Dialed{other, gate::Failed{"connection refused"}}));
  ASSERT_TRUE(world.until([&] { return !world.dialed_.empty(); }));
  ASSERT_EQ(world.dialed_.size(), 1u);
  EXPECT_EQ(std::get<proxy::Failed>(world.dialed_[0]).why, "connection refused");
}

TEST(Door, MakesAFailureOfASocketThatIsMissing) {
  World world;
  world.gate_->send(encode(gate::Dialed{world.dial(), reached()}));
  ASSERT_TRUE(world.until([&] { return !world.dialed_.empty(); }));
  EXPECT_TRUE(std::holds_alternative<proxy::Failed>(world.dialed_[0]));
}

TEST(Door, SendsRecordsManyAtATime) {
  World world;
  netlog::Record record;
  for (record.id = 1; record.id <= 100; ++record.id) world.door_->record(record);
  ASSERT_TRUE(world.until([&] { return !world.heard_.empty(); }));
  const auto records = std::get<gate::Records>(world.message(0)).records;
  ASSERT_EQ(records.size(), 100u);
  EXPECT_EQ(records.back().id, 100);
}

TEST(Door, SendsItsRecordsAtOnceWhenItIsAskedTo) {
  World world;
  netlog::Record record;
  record.id = 1;
  world.gate_->send(encode(gate::Flush{7}));
  world.door_->record(record);
  ASSERT_TRUE(world.until([&] { return world.heard_.size() >= 2; }));
  EXPECT_EQ(std::get<gate::Records>(world.message(0)).records.size(), 1u);
  EXPECT_EQ(std::get<gate::Flushed>(world.message(1)).flush, 7u) << "after what was decided before";
}

TEST(Door, FitsTheLargestRecordsIntoPackets) {
  World world;
  netlog::Record record;
  record.host = record.method = record.url_path = record.rule = record.reason = std::string(5000, 'x');
  for (int i = 0; i < 20; ++i) world.door_->record(record);
  std::size_t records = 0;
  ASSERT_TRUE(world.until([&] {
    for (const std::string& packet : std::exchange(world.heard_, {})) {
      EXPECT_LE(packet.size(), gate::kLargestPacket);
      records += std::get<gate::Records>(*gate::decode_from_shim(packet)).records.size();
    }
    return records == 20;
  }));
}

// A gate that does not read: nothing runs it here, because the loop does not.
TEST(Door, DropsRecordsAndFailsDialsRatherThanGrow) {
  World world;
  netlog::Record record;
  record.url_path = std::string(4000, 'x');
  for (record.id = 1; record.id <= 100'000; ++record.id) world.door_->record(record);
  std::size_t received = 0;
  std::int64_t lost = 0;
  bool flushed = false;
  const auto count = [&] {
    for (const std::string& packet : std::exchange(world.heard_, {})) {
      const auto message = *gate::decode_from_shim(packet);
      if (const auto* records = std::get_if<gate::Records>(&message)) received += records->records.size();
      if (const auto* told = std::get_if<gate::Lost>(&message)) lost += told->losses.count;
      flushed = flushed || std::holds_alternative<gate::Flushed>(message);
    }
    return flushed;
  };
  world.gate_->send(encode(gate::Flush{1}));
  EXPECT_TRUE(world.until(count));
  EXPECT_LT(received, 10'000u);
  EXPECT_EQ(static_cast<std::int64_t>(received) + lost, 100'000) << "the gate is told of the others";
}

TEST(Door, AcknowledgesAPolicyWhenItHolds) {
  World world;
  policy::Rules rules = policy::default_rules();
  for (int i = 0; i < 3000; ++i) rules.allowed.push_back(*policy::Pattern::parse("h" + std::to_string(i) + ".example"));
  const std::string text = policy::write_rules(rules);
  constexpr std::size_t kPart = 20'000;
  for (std::size_t at = 0; at < text.size(); at += kPart)
    world.gate_->send(encode(gate::PolicyPart{7, at + kPart >= text.size(), text.substr(at, kPart)}));
  ASSERT_TRUE(world.until([&] { return !world.heard_.empty(); }));
  ASSERT_EQ(world.rules_.size(), 1u);
  EXPECT_EQ(world.rules_[0], rules);
  EXPECT_EQ(std::get<gate::Enforced>(world.message(0)).policy, 7u);
}

TEST(Door, TakesInVisitorsOfPublishedPorts) {
  World world;
  world.gate_->send(encode(gate::Accepted{8080}), some_descriptor());
  ASSERT_TRUE(world.until([&] { return !world.accepted_.empty(); }));
  EXPECT_EQ(world.accepted_[0].first, 8080);
  EXPECT_TRUE(world.accepted_[0].second);
}

TEST(Door, FailsEveryDialOnceTheGateIsGone) {
  World world;
  world.dial();
  world.gate_.reset();
  ASSERT_TRUE(world.until([&] { return world.dialed_.size() == 1; }));
  world.dial();
  EXPECT_EQ(world.dialed_.size(), 1u) << "never from inside the call";
  ASSERT_TRUE(world.until([&] { return world.dialed_.size() == 2; }));
  for (const auto& dialed : world.dialed_)
    EXPECT_NE(std::get<proxy::Failed>(dialed).why.find("no network"), std::string::npos);
}

}  // namespace
}  // namespace sbx::shim
