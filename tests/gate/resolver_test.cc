// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/resolver.h"

#include "name_server.h"
#include "world.h"

namespace sbx::gate {
namespace {

using testing::address;
using testing::Answer;
using testing::on_a_host;
using testing::Upstream;
using testing::World;

TEST(Resolver, AsksTheHostsNameServerAndDialsWhatItSays) {
  on_a_host({{"good.example", "203.0.113.5"}}, {"203.0.113.5"}, [] {
    const Upstream upstream("203.0.113.5");
    World world;
    world.start();
    const Answer answer = world.dial("good.example", upstream.port());
    EXPECT_EQ(answer.reached().address, address("203.0.113.5"));
    EXPECT_TRUE(answer.socket);
  });
}

TEST(Resolver, PutsNoSearchDomainBehindAName) {
  on_a_host({{"missing.example.corp.example", "203.0.113.5"}, {"short.corp.example", "203.0.113.5"}}, {}, [] {
    World world;
    world.start();
    for (const char* name : {"missing.example", "short"}) {
      const Answer answer = world.dial(name, 80);
      EXPECT_TRUE(answer.failure().starts_with(std::string("resolve ") + name)) << answer.failure();
    }
  });
}

// What one name leaves behind in its thread is what the next one finds.
TEST(LookUp, PutsNoSearchDomainBehindAnyNameOfAThread) {
  on_a_host({{"missing.example.corp.example", "203.0.113.5"}, {"short.corp.example", "203.0.113.5"}}, {}, [] {
    for (int round = 0; round < 4; ++round)
      for (const char* name : {"missing.example", "short"}) EXPECT_FALSE(look_up(name)) << name << ", round " << round;
  });
}

TEST(LookUp, FollowsAChangedListOfNameServers) {
  on_a_host({{"there.example", "203.0.113.5"}}, {}, [] {
    EXPECT_TRUE(look_up("there.example"));
    ASSERT_TRUE(write_file("/etc/resolv.conf", "nameserver 127.0.0.2\n"));
    EXPECT_FALSE(look_up("there.example"));
    ASSERT_TRUE(write_file("/etc/resolv.conf", "nameserver 127.0.0.1\n"));
    EXPECT_TRUE(look_up("there.example"));
  });
}

TEST(Resolver, KnowsTheNamesOfTheHostsFile) {
  on_a_host({}, {"10.1.2.3"}, [] {
    const Upstream upstream("10.1.2.3");
    World world;
    world.allow("nas:" + std::to_string(upstream.port())).start();
    EXPECT_EQ(world.dial("nas", upstream.port()).reached().address, address("10.1.2.3"));
    EXPECT_TRUE(world.dial("nas", 1).refused()) << "by default a private range is refused";
  });
}

TEST(Resolver, DoesNotMakeAPrivateAddressReachable) {
  on_a_host({{"evil.example", "127.0.0.1"}, {"metadata.example", "169.254.169.254"}}, {"169.254.169.254"}, [] {
    const Upstream upstream("127.0.0.1");
    World world;
    world.allow("*.example").start();
    for (const char* name : {"evil.example", "metadata.example"}) {
      const Answer answer = world.dial(name, upstream.port());
      EXPECT_EQ(answer.refusal().reason, policy::Reason::kRange) << name;
      EXPECT_FALSE(answer.socket);
    }
    EXPECT_FALSE(upstream.visited());
  });
}

TEST(Resolver, GoesOnWhileANameIsNotAnswered) {
  on_a_host({{"silent.example", ""}, {"good.example", "203.0.113.5"}}, {"203.0.113.5"}, [] {
    const Upstream upstream("203.0.113.5");
    World world;
    world.start();
    std::vector<Ticket> silent;
    for (int i = 0; i < 100; ++i) silent.push_back(world.send_dial("silent.example", 80));
    EXPECT_TRUE(world.dial("good.example", upstream.port()).socket);
    EXPECT_TRUE(world.answers_.empty()) << "nobody has answered for the others";
    ASSERT_TRUE(world.until([&] { return world.answers_.size() == silent.size(); }));
    for (const Ticket ticket : silent) EXPECT_NE(world.take(ticket).failure(), "");
  });
}

TEST(Resolver, FollowsAChangedResolvConf) {
  on_a_host({{"good.example", "203.0.113.5"}}, {"203.0.113.5"}, [] {
    ASSERT_TRUE(write_file("/etc/resolv.conf", "nameserver 127.0.0.2\noptions timeout:1 attempts:1\n", 0644));
    const Upstream upstream("203.0.113.5");
    World world;
    world.start();
    EXPECT_NE(world.dial("good.example", upstream.port()).failure(), "") << "nobody serves names there";
    ASSERT_TRUE(write_file("/etc/resolv.conf", "nameserver 127.0.0.1\n", 0644));
    EXPECT_TRUE(world.dial("good.example", upstream.port()).socket);
  });
}

std::string first_question(World& world, const Fd& server) {
  pollfd state{server.get(), POLLIN, 0};
  EXPECT_TRUE(world.until([&] { return ::poll(&state, 1, 0) == 1; })) << "no question came";
  std::string question(512, '\0');
  const ssize_t size = ::recv(server.get(), question.data(), question.size(), 0);
  question.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return question;
}

// The name servers of an allowed wildcard's domain hear each name that a guest makes up below it
// (docs/network-policy.md); no server hears of what is refused.
TEST(Resolver, AsksForWhatAWildcardAllowsAndForNothingThatIsRefused) {
  on_a_host({}, {}, [] {
    ASSERT_TRUE(write_file("/etc/resolv.conf", "nameserver 127.0.0.2\n", 0644));
    const Fd server(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(bind_to(server, {address("127.0.0.2"), 53}), 0);
    World world;
    world.rules().otherwise = policy::Mark::kBlock;
    world.allow("*.example").start();
    EXPECT_TRUE(world.dial("secret.refused.test", 80).refused());
    world.send_dial("secret.example", 80);
    EXPECT_NE(first_question(world, server)
                  .find("\x06secret\x07"
                        "example"),
              std::string::npos);
  });
}

}  // namespace
}  // namespace sbx::gate
