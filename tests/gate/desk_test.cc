// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/desk.h"

#include "gate/world.h"

// A vault's line to the gate: dials as the shim's, for one that may end and be followed by another.
namespace sbx::gate {
namespace {

using testing::Answer;
using testing::Upstream;
using testing::World;

// A vault of the test's.
class Vault {
 public:
  explicit Vault(World& world) : world_(world) {
    SocketPair pair = *make_line();
    Line keeper(
        *world.loop_, *duplicate(world.vaults_), [](std::string_view, const Fd&) {}, [] {});
    keeper.send("x", std::move(pair.theirs));
    line_ = std::make_unique<Line>(
        *world.loop_, std::move(pair.ours),
        [this](std::string_view bytes, Fd attached) {
          auto message = decode_from_gate(bytes);
          ASSERT_TRUE(message);
          answer_ = Answer{std::get<Dialed>(std::move(*message)), std::move(attached)};
        },
        [this] { ended_ = true; });
  }

  Answer dial(const std::string& host, std::uint16_t port, Ticket ticket = 1) {
    answer_.reset();
    line_->send(encode(Dial{ticket, {*policy::Host::parse(host), port, policy::Path::kForward}}));
    EXPECT_TRUE(world_.until([this] { return answer_ || ended_; }));
    return answer_ ? std::move(*answer_) : Answer{{ticket, Failed{"it has ended"}}, {}};
  }
  void say(std::string packet) { line_->send(std::move(packet)); }
  bool is_dismissed() {
    return world_.until([this] { return ended_; });
  }

 private:
  World& world_;
  std::unique_ptr<Line> line_;
  std::optional<Answer> answer_;
  bool ended_ = false;
};

bool has_hung_up(const Fd& socket) {
  pollfd state{socket.get(), POLLIN | POLLRDHUP, 0};
  return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLRDHUP | POLLHUP)) != 0;
}

struct DeskTest : ::testing::Test {
  DeskTest() { world.static_host("api.example.com", "127.0.0.1").allow("api.example.com").start(); }
  const Upstream upstream;
  World world;
};

TEST_F(DeskTest, DialsUnderThePolicyOfTheShim) {
  Vault vault(world);
  EXPECT_TRUE(vault.dial("api.example.com", upstream.port()).socket);
  EXPECT_TRUE(vault.dial("127.0.0.1", upstream.port(), 2).refused());
}

TEST_F(DeskTest, ItsTicketsAreItsOwn) {
  Vault vault(world);
  const Ticket shims = world.send_dial("api.example.com", upstream.port());
  EXPECT_TRUE(vault.dial("api.example.com", upstream.port(), shims).socket);
  EXPECT_TRUE(world.until([&] { return world.answers_.contains(shims); }));
  EXPECT_TRUE(world.take(shims).socket);
}

TEST_F(DeskTest, WhatItLentEndsWithTheVault) {
  auto vault = std::make_unique<Vault>(world);
  const Answer kept = vault->dial("api.example.com", upstream.port());
  ASSERT_TRUE(kept.socket);
  vault.reset();
  EXPECT_TRUE(world.until([&] { return has_hung_up(kept.socket); }));
  Vault next(world);
  EXPECT_TRUE(next.dial("api.example.com", upstream.port()).socket);
}

TEST_F(DeskTest, WhatANewPolicyRefusesEnds) {
  Vault vault(world);
  const Answer kept = vault.dial("api.example.com", upstream.port());
  policy::Rules rules = world.rules();
  rules.allowed.clear();
  EXPECT_EQ(world.change_policy(rules), (Json{{"ok", true}}));
  EXPECT_TRUE(has_hung_up(kept.socket));
  EXPECT_TRUE(vault.dial("api.example.com", upstream.port(), 2).refused());
}

TEST_F(DeskTest, AVaultThatSaysMoreThanItMayIsDismissedAndTheShimIsNot) {
  for (const std::string& packet : {encode(Enforced{1}), encode(Flushed{1}), encode_records(""), std::string("\xff")}) {
    Vault vault(world);
    vault.say(packet);
    EXPECT_TRUE(vault.is_dismissed());
  }
  EXPECT_TRUE(world.dial("api.example.com", upstream.port()).socket);
}

}  // namespace
}  // namespace sbx::gate
