// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/ports.h"

#include "world.h"

namespace sbx::gate {
namespace {

using testing::address;
using testing::Answer;
using testing::Upstream;
using testing::World;

Fd visit(std::string_view at, std::uint16_t port) {
  Fd socket = std::move(*new_socket({address(at), port}));
  EXPECT_TRUE(set_nonblocking(socket, false));
  if (connect_to(socket, {address(at), port}) != 0) socket.reset();
  return socket;
}

std::uint16_t host_port(const Json& answer) { return answer.at("ports").at(0).at("host_port").get<std::uint16_t>(); }

TEST(Ports, HandVisitorsOverWithThePortOfTheGuests) {
  World world;
  world.publish({"127.0.0.1", 0, 8080}).start();
  const Json ports = world.ask({{"op", "ports"}});
  ASSERT_EQ(ports.at("ports").size(), 1u);
  EXPECT_EQ(ports["ports"][0]["port"], 8080);
  const Fd visitor = visit("127.0.0.1", host_port(ports));
  ASSERT_TRUE(visitor);
  ASSERT_TRUE(world.until([&] { return !world.accepted_.empty(); }));
  const auto& [port, socket] = world.accepted_.front();
  EXPECT_EQ(port, 8080);
  ASSERT_EQ(::write(visitor.get(), "hello", 5), 5);
  std::array<char, 8> buffer{};
  pollfd state{socket.get(), POLLIN, 0};
  ASSERT_EQ(::poll(&state, 1, 60'000), 1);
  EXPECT_EQ(::read(socket.get(), buffer.data(), buffer.size()), 5);
}

TEST(Ports, ThatAreTakenKeepTheSandboxFromStarting) {
  const Upstream taken;
  World world;
  world.publish({"127.0.0.1", taken.port(), 80});
  const auto started = world.try_start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code(), Code::kConflict);
  EXPECT_EQ(started.error().what(), "publish 127.0.0.1:" + std::to_string(taken.port()) + ": Address already in use");
}

TEST(Ports, AreOpenedAndClosedWhileItRuns) {
  World world;
  world.start();
  const Json published =
      world.ask({{"op", "publish"}, {"ports", {{{"host_ip", "::1"}, {"host_port", 0}, {"port", 80}}}}});
  ASSERT_TRUE(published.contains("ports")) << dump(published);
  const std::uint16_t port = host_port(published);
  EXPECT_TRUE(visit("::1", port));
  EXPECT_EQ(world.ask({{"op", "unpublish"}, {"ports", published["ports"]}}), Json({{"ok", true}}));
  EXPECT_FALSE(visit("::1", port));
  EXPECT_EQ(world.ask({{"op", "ports"}}), Json({{"ports", Json::array()}}));
  const Json gone = world.ask({{"op", "unpublish"}, {"ports", published["ports"]}});
  EXPECT_EQ(gone["error"]["code"], "not_found") << dump(gone);
}

TEST(Ports, AreOpenedAllOrNone) {
  const Upstream taken;
  World world;
  world.start();
  const Json answer = world.ask({{"op", "publish"},
                                 {"ports",
                                  {{{"host_ip", "127.0.0.1"}, {"host_port", 0}, {"port", 80}},
                                   {{"host_ip", "127.0.0.1"}, {"host_port", taken.port()}, {"port", 81}}}}});
  EXPECT_EQ(answer["error"]["code"], "conflict") << dump(answer);
  EXPECT_TRUE(world.ask({{"op", "ports"}})["ports"].empty());
}

TEST(Ports, OfThePrivilegedAreOpenedAtTheStartOnly) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const Json low = {{"op", "publish"}, {"ports", {{{"host_ip", "127.66.66.66"}, {"host_port", 81}, {"port", 80}}}}};
  World world;
  world.publish({"127.66.66.66", 80, 80}).start();
  EXPECT_TRUE(visit("127.66.66.66", 80));
  const Json answer = world.ask(low);
  EXPECT_EQ(answer["error"]["code"], "forbidden") << dump(answer);
}

TEST(Ports, AreNotDialedByTheirOwnGate) {
  World world;
  world.publish({"0.0.0.0", 0, 80}).static_host("nas.example.com", "127.0.0.1").allow("nas.example.com").start();
  const std::uint16_t port = host_port(world.ask({{"op", "ports"}}));
  const Answer answer = world.dial("nas.example.com", port);
  EXPECT_FALSE(answer.socket);
  EXPECT_TRUE(answer.failure().ends_with("it leads back to the sandbox")) << answer.failure();
  EXPECT_TRUE(world.accepted_.empty());
}

TEST(Ports, OfAnAddressThatIsNotOneAreRefused) {
  World world;
  world.publish({"example.com", 0, 80});
  EXPECT_EQ(world.try_start().error().code(), Code::kInvalid);
}

// A shim that takes nothing: visitors wait in the kernel's queue, and the gate goes on.
TEST(Ports, WaitForAShimThatDoesNotTakeItsVisitors) {
  World world;
  world.publish({"127.0.0.1", 0, 80}).start();
  const std::uint16_t port = host_port(world.ask({{"op", "ports"}}));
  std::vector<Fd> visitors;
  for (int i = 0; i < 2500; ++i) {
    visitors.push_back(std::move(*new_socket({address("127.0.0.1"), port})));
    (void)connect_to(visitors.back(), {address("127.0.0.1"), port});
  }
  EXPECT_TRUE(world.until([&] { return world.accepted_.size() == visitors.size(); })) << world.accepted_.size();
}

}  // namespace
}  // namespace sbx::gate
