// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/vault_door.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/run_loop.h"

namespace sbx::shim {
namespace {

// A door whose keeper and vaults the test plays.
class VaultWorld {
 public:
  VaultWorld() : loop_(*loop::Loop::create()) {
    SocketPair pair = std::move(*gate::make_line());
    keeper_ = std::make_unique<gate::Line>(
        *loop_, std::move(pair.theirs), [](std::string_view, const Fd&) {}, [] {});
    door_ = std::make_unique<VaultDoor>(*loop_, std::move(pair.ours), [this] { ++changes_; });
  }

  [[nodiscard]] bool until(const std::function<bool()>& is_so) { return sbx::testing::run_until(*loop_, is_so); }

  // The keeper has forked another one.
  void new_vault() {
    SocketPair pair = std::move(*gate::make_line());
    heard_.clear();
    vault_ = std::make_unique<gate::Line>(
        *loop_, std::move(pair.theirs), [this](std::string_view bytes, const Fd&) { heard_.emplace_back(bytes); },
        [this] { vault_.reset(); });
    keeper_->send(encode(vault::NewVault{}), std::move(pair.ours));
  }
  void bind(const std::string& host, std::uint64_t number = 1) {
    vault::Bindings bindings;
    bindings.hosts = {host};
    vault_->send(encode(vault::BindingsPart{number, true, encode(bindings)}));
  }
  void serve(const std::string& host) {
    new_vault();
    bind(host);
    ASSERT_TRUE(until([&] { return holds(1); }));
  }
  bool holds(std::uint64_t number) {
    for (const auto& message : messages())
      if (const auto* held = std::get_if<vault::Held>(&message); held != nullptr && held->number == number) return true;
    return false;
  }
  template <class Message>
  std::vector<Message> all() {
    std::vector<Message> found;
    for (const auto& message : messages())
      if (const auto* one = std::get_if<Message>(&message)) found.push_back(*one);
    return found;
  }

  VaultDoor::Ticket dial() {
    return door_->dial({*policy::Host::parse("bound.test"), 443},
                       [this](proxy::Dialed dialed) { dialed_.push_back(std::move(dialed)); });
  }
  bool all_failed(std::size_t count) {
    return dialed_.size() == count && std::ranges::all_of(dialed_, [](const proxy::Dialed& dialed) {
             return std::holds_alternative<proxy::Failed>(dialed);
           });
  }

  std::unique_ptr<loop::Loop> loop_;
  std::vector<std::string> heard_;  // by the vault
  std::vector<proxy::Dialed> dialed_;
  int changes_ = 0;
  std::unique_ptr<gate::Line> keeper_;
  std::unique_ptr<gate::Line> vault_;
  std::unique_ptr<VaultDoor> door_;

 private:
  std::vector<vault::FromShim> messages() {
    std::vector<vault::FromShim> decoded;
    for (const std::string& bytes : heard_) decoded.push_back(*vault::decode_from_shim(bytes));
    return decoded;
  }
};

gate::Reached vault_reached() {
  return {{policy::Decision::kInspect, policy::Reason::kRule, "bound.test", {}}, *policy::Address::parse("192.0.2.1")};
}

Fd vault_descriptor() { return *open_path("/dev/null", O_RDONLY); }

TEST(VaultDoor, KnowsWhatIsBoundBeforeItSaysSo) {
  VaultWorld world;
  EXPECT_FALSE(world.door_->bindings().binds("bound.test"));
  world.serve("bound.test");
  EXPECT_TRUE(world.door_->bindings().binds("bound.test"));
  EXPECT_EQ(world.changes_, 1);
}

TEST(VaultDoor, PutsBindingsTogetherThatComeInParts) {
  VaultWorld world;
  world.new_vault();
  vault::Bindings bindings;
  bindings.hosts = {"one.test", "two.test"};
  const std::string text = encode(bindings);
  world.vault_->send(encode(vault::BindingsPart{7, false, text.substr(0, 5)}));
  world.vault_->send(encode(vault::BindingsPart{7, true, text.substr(5)}));
  ASSERT_TRUE(world.until([&] { return world.holds(7); }));
  EXPECT_TRUE(world.door_->bindings().binds("two.test"));
}

TEST(VaultDoor, DoesNotAcknowledgeBindingsThatItCannotRead) {
  VaultWorld world;
  world.serve("bound.test");
  world.vault_->send(encode(vault::BindingsPart{2, true, "garbled"}));
  world.bind("other.test", 3);
  ASSERT_TRUE(world.until([&] { return world.holds(3); }));
  EXPECT_FALSE(world.holds(2));
}

TEST(VaultDoor, PassesADialOnAndTheVaultsEndBack) {
  VaultWorld world;
  world.serve("bound.test");
  const auto ticket = world.dial();
  ASSERT_TRUE(world.until([&] { return !world.all<gate::Dial>().empty(); }));
  EXPECT_EQ(world.all<gate::Dial>().front().target.text(), "bound.test:443");
  world.vault_->send(encode(gate::Dialed{ticket, vault_reached()}), vault_descriptor());
  ASSERT_TRUE(world.until([&] { return !world.dialed_.empty(); }));
  EXPECT_TRUE(std::holds_alternative<proxy::Reached>(world.dialed_.front()));
}

// There would be no way to tell it from one that leads past the vault.
TEST(VaultDoor, AnAnswerWithoutADescriptorIsNoConnection) {
  VaultWorld world;
  world.serve("bound.test");
  const auto ticket = world.dial();
  world.vault_->send(encode(gate::Dialed{ticket, vault_reached()}));
  ASSERT_TRUE(world.until([&] { return world.all_failed(1); }));
}

TEST(VaultDoor, ADialWaitsForTheFirstVault) {
  VaultWorld world;
  world.dial();
  world.new_vault();
  EXPECT_TRUE(world.all<gate::Dial>().empty());
  world.bind("bound.test");
  ASSERT_TRUE(world.until([&] { return world.all<gate::Dial>().size() == 1; }));
}

TEST(VaultDoor, WhatADeadVaultWasAskedFailsAndHostsStayBound) {
  VaultWorld world;
  world.serve("bound.test");
  world.dial();
  ASSERT_TRUE(world.until([&] { return !world.all<gate::Dial>().empty(); }));
  world.vault_.reset();
  ASSERT_TRUE(world.until([&] { return world.all_failed(1); }));
  EXPECT_TRUE(world.door_->bindings().binds("bound.test"));
  // What is asked from then on waits for the next.
  world.dial();
  world.serve("bound.test");
  ASSERT_TRUE(world.until([&] { return world.all<gate::Dial>().size() == 1; }));
  EXPECT_EQ(world.dialed_.size(), 1u);
}

TEST(VaultDoor, WithoutAKeeperNothingIsReachedAndHostsStayBound) {
  VaultWorld world;
  world.serve("bound.test");
  world.dial();
  world.keeper_.reset();
  ASSERT_TRUE(world.until([&] { return world.all_failed(1); }));
  world.dial();
  ASSERT_TRUE(world.until([&] { return world.all_failed(2); }));
  EXPECT_TRUE(world.door_->bindings().binds("bound.test"));
}

TEST(VaultDoor, ACancelledDialIsTakenBackAndItsAnswerDropped) {
  VaultWorld world;
  world.serve("bound.test");
  const auto ticket = world.dial();
  world.door_->cancel(ticket);
  ASSERT_TRUE(world.until([&] { return !world.all<gate::Cancel>().empty(); }));
  EXPECT_EQ(world.all<gate::Cancel>().front().ticket, ticket);
  world.vault_->send(encode(gate::Dialed{ticket, vault_reached()}), vault_descriptor());
  world.bind("bound.test", 2);
  ASSERT_TRUE(world.until([&] { return world.holds(2); }));
  EXPECT_TRUE(world.dialed_.empty());
}

TEST(VaultDoor, SurvivesWhatNoVaultSays) {
  VaultWorld world;
  world.serve("bound.test");
  world.vault_->send("no message");
  world.vault_->send(encode(gate::Dialed{999, vault_reached()}), vault_descriptor());
  world.keeper_->send("no message");
  world.keeper_->send(encode(vault::NewVault{}));  // without a line
  world.bind("bound.test", 2);
  ASSERT_TRUE(world.until([&] { return world.holds(2); }));
  EXPECT_TRUE(world.dialed_.empty());
}

}  // namespace
}  // namespace sbx::shim
