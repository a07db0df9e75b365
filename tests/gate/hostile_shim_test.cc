// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "base/packing.h"
#include "gate/service.h"
#include "world.h"

// A shim that was taken over says what it likes. The gate follows what makes sense and the policy allows, and ends
// rather than follow anything else.
namespace sbx::gate {
namespace {

using testing::address;
using testing::Answer;
using testing::Upstream;
using testing::World;

std::string some_dial(Ticket ticket = 1) {
  return encode(Dial{ticket, {*policy::Host::parse("nas.example.com"), 80, policy::Path::kForward}});
}

std::string dial_with_host(std::string_view host) {
  Packer packer;
  packer.number(std::uint8_t{0});
  packer.number(Ticket{1});
  packer.number(std::uint16_t{80});
  packer.number(policy::Path::kForward);
  packer.text(host);
  return packer.take();
}

TEST(HostileShim, ThatSpeaksNonsenseLosesItsGate) {
  std::string too_much = some_dial() + "x";
  std::string half_record = encode_records(netlog::pack({}).substr(0, 20));
  for (const std::string& packet :
       {std::string("\xff"), std::string("\0", 1), some_dial().substr(0, 12), too_much, half_record,
        dial_with_host("a b"), dial_with_host("127.1"), dial_with_host(std::string(4096, 'a')), encode(Ready{}),
        encode(Lost{{-1, 0, 0}}), encode(Accepted{80}), std::string(kLargestPacket, '\x01')}) {
    World world;
    world.start();
    world.line_->send(packet);
    EXPECT_TRUE(world.gate_is_gone());
  }
}

bool is_cut_off(const Fd& socket) {
  char byte = 0;
  return ::recv(socket.get(), &byte, 1, MSG_DONTWAIT) == 0;
}

TEST(HostileShim, ThatKeepsAConnectionWhichANewPolicyRefusesLosesIt) {
  const Upstream upstream;
  for (const bool lies : {true, false}) {
    World world;
    world.static_host("nas.example.com", "127.0.0.1").static_host("db.example.com", "127.0.0.1");
    world.allow("nas.example.com").allow("db.example.com").start();
    const Answer kept = world.dial("nas.example.com", upstream.port());
    const Answer fine = world.dial("db.example.com", upstream.port());
    ASSERT_TRUE(kept.socket && fine.socket);
    world.enforces_ = lies;  // or says nothing
    policy::Rules rules = world.rules();
    std::erase_if(rules.allowed, [](const auto& pattern) { return pattern.text() == "nas.example.com"; });
    EXPECT_EQ(world.change_policy(rules).contains("ok"), lies);
    EXPECT_TRUE(is_cut_off(kept.socket));
    EXPECT_FALSE(is_cut_off(fine.socket));
  }
}

TEST(HostileShim, ThatDialsWithTheTicketOfAConnectionLosesItsGate) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  const Ticket ticket = world.send_dial("nas.example.com", upstream.port());
  ASSERT_TRUE(world.until([&] { return world.answers_.contains(ticket); }));
  world.line_->send(some_dial(ticket));
  EXPECT_TRUE(world.gate_is_gone());
}

TEST(HostileShim, ThatSendsTooLargeAPacketLosesItsGate) {
  World world;
  world.start();
  world.line_->send(std::string(kLargestPacket + 1, '\x02'));
  EXPECT_TRUE(world.gate_is_gone());
}

TEST(HostileShim, ThatUsesATicketTwiceLosesItsGate) {
  // One that never answers: there is room for one visitor, and it is taken.
  const Upstream silent("127.0.0.1", 0, 0);
  const Fd first = std::move(*new_socket({address("127.0.0.1"), silent.port()}));
  ASSERT_TRUE(connect_to(first, {address("127.0.0.1"), silent.port()}) == 0 || errno == EINPROGRESS);
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  const Ticket ticket = world.send_dial("nas.example.com", silent.port());
  world.line_->send(some_dial(ticket));
  EXPECT_TRUE(world.gate_is_gone());
}

TEST(HostileShim, MayCancelWhatIsNotThereAndEnforceWhatNobodyAsked) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  world.line_->send(encode(Cancel{99}));
  world.line_->send(encode(Enforced{UINT64_MAX}));
  EXPECT_TRUE(world.dial("nas.example.com", upstream.port()).socket);
}

TEST(HostileShim, GetsNothingForADescriptorThatItSends) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  for (int i = 0; i < 2000; ++i) world.line_->send(encode(Cancel{99}), *open_path("/dev/null", O_RDONLY));
  EXPECT_TRUE(world.dial("nas.example.com", upstream.port()).socket);
}

TEST(HostileShim, GetsAnAnswerToEachOfTenThousandDials) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  constexpr std::size_t kDials = 10'000;
  std::size_t connected = 0;
  std::size_t answered = 0;
  const auto count = [&] {
    upstream.turn_away_all();
    answered += world.answers_.size();
    for (auto& [ticket, answer] : world.answers_) connected += answer.socket ? 1 : 0;
    world.answers_.clear();
    return answered == kDials;
  };
  for (std::size_t i = 0; i < kDials; ++i) world.send_dial("nas.example.com", upstream.port());
  EXPECT_TRUE(world.until(count)) << answered;
  EXPECT_GT(connected, 0u);
}

TEST(HostileShim, ThatDialsBeyondAllBoundsIsToldSo) {
  World world;
  world.static_host("nas.example.com", "127.0.0.1").start();
  // Packets between which the gate has no time to answer, because nobody takes its answers.
  std::size_t refused = 0;
  constexpr std::size_t kDials = 40'000;
  for (std::size_t i = 0; i < kDials; ++i) world.send_dial("nas.example.com", 9);
  EXPECT_TRUE(world.until([&] {
    refused += world.answers_.size();
    world.answers_.clear();
    return refused == kDials;
  })) << refused;
}

TEST(HostileShim, CannotReachMoreByCancelling) {
  const Upstream upstream;
  World world;
  world.static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  for (int i = 0; i < 1000; ++i) world.line_->send(encode(Cancel{world.send_dial("nas.example.com", upstream.port())}));
  EXPECT_TRUE(world.dial("nas.example.com", upstream.port()).socket);
}

// Every packet of noise is either nonsense or a message; nothing else happens.
TEST(HostileShim, SaysNothingThatIsReadBeyondItsEnd) {
  std::minstd_rand random(4);
  const std::string seeds[] = {some_dial(), encode(Cancel{1}), encode_records(netlog::pack({})), encode(Enforced{1})};
  for (int round = 0; round < 200'000; ++round) {
    std::string packet = seeds[random() % std::size(seeds)];
    packet[random() % packet.size()] = static_cast<char>(random());
    packet.resize(random() % (packet.size() + 4));
    const auto message = decode_from_shim(packet);
    const Dial* dial = message ? std::get_if<Dial>(&*message) : nullptr;
    EXPECT_TRUE(dial == nullptr || dial->target.port != 0);
  }
}

}  // namespace
}  // namespace sbx::gate
