// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/callback_port.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "wire/frame.h"

namespace sbx::cli {
namespace {

std::string frame(wire::Kind kind, const std::string& payload) {
  const auto head = wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, kind});
  return std::string(head.data(), head.size()) + payload;
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return at;
}

// A port that nothing has.
std::uint16_t free_port() {
  const Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at = loopback(0);
  EXPECT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
  socklen_t size = sizeof at;
  EXPECT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
  return ntohs(at.sin_port);
}

Fd connected_to(std::uint16_t port) {
  Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in at = loopback(port);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) socket.reset();
  return socket;
}

// A sandbox in which a program answers each connection with "hello" and ends it; it may be asked to wait instead.
struct FakeInside {
  CallbackPort::Inside inside() {
    return {
        [this]() -> Result<exchange::Upgraded> {
          ++connections;
          if (before_connected) before_connected();
          TRY_ASSIGN(SocketPair pair, make_socket_pair());
          if (answers)
            TRY(write_all(pair.theirs, frame(wire::Kind::kOut, "hello") + frame(wire::Kind::kExit, R"({"code":0})")));
          kept.push_back(std::move(pair.theirs));
          return exchange::Upgraded{std::move(pair.ours), ""};
        },
        [this] { return listens.load(); }};
  }
  bool answers = true;
  std::function<void()> before_connected;
  std::atomic<int> connections = 0;
  std::atomic<bool> listens = true;
  std::vector<Fd> kept;
};

TEST(CallbackPort, LeadsIntoTheSandbox) {
  FakeInside fake;
  const std::uint16_t port = free_port();
  const auto opened = CallbackPort::open(port, fake.inside());
  ASSERT_TRUE(opened) << opened.error().what();
  const Fd browser = connected_to(port);
  ASSERT_TRUE(browser);
  EXPECT_EQ(*read_all(browser, 100), "hello");
  EXPECT_EQ(fake.connections, 1);
}

TEST(CallbackPort, IsClosedWithItsObjectAndSoAreItsConnections) {
  FakeInside fake;
  fake.answers = false;
  const std::uint16_t port = free_port();
  auto opened = CallbackPort::open(port, fake.inside());
  ASSERT_TRUE(opened);
  const Fd browser = connected_to(port);
  ASSERT_TRUE(browser);
  while (fake.connections == 0) std::this_thread::yield();
  opened->reset();
  EXPECT_EQ(*read_all(browser, 100), "");
  EXPECT_FALSE(connected_to(port));
}

// The destructor has ended the browser's connection, and there is no other yet that it could end.
TEST(CallbackPort, IsClosedAlsoWhileItConnectsToTheSandbox) {
  FakeInside fake;
  fake.answers = false;
  std::atomic<const Fd*> browser = nullptr;
  fake.before_connected = [&] {
    while (browser == nullptr) std::this_thread::yield();
    EXPECT_EQ(*read_all(*browser, 100), "");
  };
  const std::uint16_t port = free_port();
  auto opened = CallbackPort::open(port, fake.inside());
  ASSERT_TRUE(opened);
  const Fd connected = connected_to(port);
  ASSERT_TRUE(connected);
  while (fake.connections == 0) std::this_thread::yield();
  browser = &connected;
  opened->reset();
  EXPECT_EQ(fake.connections, 1);
}

TEST(CallbackPort, IsClosedWhenNothingWaitsForItAnyMore) {
  FakeInside fake;
  fake.listens = false;
  const std::uint16_t port = free_port();
  const auto opened = CallbackPort::open(port, fake.inside());
  ASSERT_TRUE(opened);
  while (connected_to(port)) std::this_thread::yield();
}

TEST(CallbackPort, OfAnotherProgramIsLeftToIt) {
  FakeInside fake;
  const Fd other(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const std::uint16_t port = free_port();
  const sockaddr_in at = loopback(port);
  ASSERT_EQ(::bind(other.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  ASSERT_EQ(::listen(other.get(), 1), 0);
  const auto opened = CallbackPort::open(port, fake.inside());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), Code::kConflict);
}

TEST(CallbackPort, ASandboxThatCannotBeReachedEndsTheConnection) {
  const std::uint16_t port = free_port();
  const auto opened = CallbackPort::open(
      port, {[]() -> Result<exchange::Upgraded> { return fail(Code::kNotFound, "gone"); }, [] { return true; }});
  ASSERT_TRUE(opened);
  const Fd browser = connected_to(port);
  ASSERT_TRUE(browser);
  EXPECT_EQ(read_all(browser, 100).value_or(""), "");
}

}  // namespace
}  // namespace sbx::cli
