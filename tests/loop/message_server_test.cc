// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "loop/message_server.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/socket.h"
#include "support/run_loop.h"
#include "support/temporary_directory.h"

namespace sbx::loop {
namespace {

using Asker = MessageServer::Asker;

std::string framed(const std::string& body) {
  const auto length = static_cast<std::uint32_t>(body.size());
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + body;
}

constexpr MessageServer::Limits kEnough{.askers = 64, .patience = std::chrono::minutes(10), .unread = 1 << 20};

// A server, and the test in the place of those who ask.
class World {
 public:
  explicit World(const MessageServer::Limits& limits = kEnough, uid_t owner = ::getuid()) : loop_(*Loop::create()) {
    server_ = std::make_unique<MessageServer>(*loop_, std::move(*listen_unix(path_)), owner, limits,
                                              [this](Asker asker, Message message) {
                                                askers_.push_back(asker);
                                                requests_.push_back(std::move(message));
                                                if (on_request_) on_request_(asker);
                                              });
  }

  Fd connect() const {
    Fd socket = std::move(*connect_unix(path_));
    EXPECT_TRUE(set_nonblocking(socket));
    return socket;
  }
  void settle() { testing::settle(*loop_); }
  void until(const std::function<bool()>& is_so) { EXPECT_TRUE(testing::run_until(*loop_, is_so)); }

  testing::TemporaryDirectory directory_;
  std::string path_ = directory_ / "socket";
  std::unique_ptr<Loop> loop_;
  std::unique_ptr<MessageServer> server_;
  std::vector<Asker> askers_;
  std::vector<Message> requests_;
  std::function<void(Asker)> on_request_;
};

bool closed(const Fd& socket) {
  char byte = 0;
  const ssize_t n = ::recv(socket.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return n == 0 || (n < 0 && errno != EAGAIN);
}

std::string body_of(const Fd& socket) {
  auto message = receive_message(socket);
  return message && *message ? (*message)->body : std::string("(none)");
}

TEST(MessageServer, AnswersAndCloses) {
  World world;
  world.on_request_ = [&](Asker asker) { world.server_->answer(asker, "answer"); };
  const Fd socket = world.connect();
  ASSERT_TRUE(send_message(socket, "question"));
  world.settle();
  EXPECT_EQ(world.requests_.at(0).body, "question");
  EXPECT_EQ(body_of(socket), "answer");
  EXPECT_TRUE(closed(socket));
}

TEST(MessageServer, ARequestMayArriveByteByByteAndStopsNobody) {
  World world;
  world.on_request_ = [&](Asker asker) { world.server_->answer(asker, "answer"); };
  const Fd slow = world.connect();
  const std::string bytes = framed("a slow question");
  for (const char byte : bytes.substr(0, bytes.size() - 1)) {
    ASSERT_TRUE(write_all(slow, std::string(1, byte)));
    const Fd quick = world.connect();
    ASSERT_TRUE(send_message(quick, "quick"));
    world.settle();
    ASSERT_EQ(body_of(quick), "answer");
  }
  ASSERT_TRUE(write_all(slow, bytes.substr(bytes.size() - 1)));
  world.settle();
  EXPECT_EQ(world.requests_.back().body, "a slow question");
  EXPECT_EQ(body_of(slow), "answer");
}

TEST(MessageServer, HalfARequestIsDroppedAfterAWhile) {
  World world({.askers = 64, .patience = std::chrono::milliseconds(1), .unread = 1 << 20});
  const Fd silent = world.connect();
  const Fd half = world.connect();
  ASSERT_TRUE(write_all(half, framed("question").substr(0, 6)));
  world.until([&] { return closed(silent) && closed(half); });
  EXPECT_TRUE(world.requests_.empty());
}

TEST(MessageServer, AnAnswerToAnAskerThatHasLeftReachesNobodyElse) {
  World world;
  {
    const Fd first = world.connect();
    ASSERT_TRUE(send_message(first, "first"));
    world.settle();
  }
  world.settle();
  const Fd second = world.connect();
  ASSERT_TRUE(send_message(second, "second"));
  world.settle();
  ASSERT_EQ(world.askers_.size(), 2u);
  EXPECT_NE(world.askers_[0], world.askers_[1]);
  world.server_->answer(world.askers_[0], "for the first");
  world.settle();
  char byte = 0;
  EXPECT_EQ(::recv(second.get(), &byte, 1, MSG_DONTWAIT), -1);
  EXPECT_EQ(errno, EAGAIN);
  world.server_->answer(world.askers_[1], "for the second");
  EXPECT_EQ(body_of(second), "for the second");
}

TEST(MessageServer, DescriptorsComeWithTheRequest) {
  World world;
  const Fd socket = world.connect();
  const Pipe pipe = std::move(*make_pipe());
  ASSERT_TRUE(send_message(socket, "take this", {pipe.write.get()}));
  world.settle();
  ASSERT_EQ(world.requests_.at(0).fds.size(), 1u);
  ASSERT_TRUE(write_all(world.requests_[0].fds[0], "x"));
  char byte = 0;
  EXPECT_EQ(::read(pipe.read.get(), &byte, 1), 1);
}

void send_descriptors(const Fd& socket, std::string_view bytes, const std::vector<int>& fds) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  std::vector<char> control(CMSG_SPACE(sizeof(int) * fds.size()));
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  cmsghdr* rights = CMSG_FIRSTHDR(&header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
  std::memcpy(CMSG_DATA(rights), fds.data(), sizeof(int) * fds.size());
  EXPECT_EQ(::sendmsg(socket.get(), &header, MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
}

TEST(MessageServer, WhatIsNoRequestIsDropped) {
  const std::vector<std::pair<const char*, std::function<void(const Fd&)>>> attacks{
      {"too large", [](const Fd& socket) { EXPECT_TRUE(write_all(socket, "\xff\xff\xff\x7f")); }},
      {"the end in the middle",
       [](const Fd& socket) {
         EXPECT_TRUE(write_all(socket, framed("question").substr(0, 7)));
         ::shutdown(socket.get(), SHUT_WR);
       }},
      {"nothing at all", [](const Fd& socket) { ::shutdown(socket.get(), SHUT_WR); }},
      {"many descriptors",
       [](const Fd& socket) {
         const std::string bytes = framed("question");
         for (int i = 0; i < 3; ++i) send_descriptors(socket, bytes.substr(i, 1), std::vector<int>(8, socket.get()));
       }},
  };
  for (const auto& [name, attack] : attacks) {
    World world;
    const Fd socket = world.connect();
    attack(socket);
    world.settle();
    EXPECT_TRUE(closed(socket)) << name;
    EXPECT_TRUE(world.requests_.empty()) << name;
  }
}

TEST(MessageServer, MoreThanARequestEndsTheConnection) {
  World world;
  const Fd socket = world.connect();
  ASSERT_TRUE(send_message(socket, "one"));
  ASSERT_TRUE(send_message(socket, "two"));
  world.settle();
  EXPECT_EQ(world.requests_.size(), 1u);
  EXPECT_TRUE(closed(socket));
}

TEST(MessageServer, AHalfCloseAfterTheRequestStillGetsItsAnswer) {
  World world;
  const Fd socket = world.connect();
  ASSERT_TRUE(send_message(socket, "question"));
  ::shutdown(socket.get(), SHUT_WR);
  world.settle();
  world.server_->answer(world.askers_.at(0), "answer");
  EXPECT_EQ(body_of(socket), "answer");
}

TEST(MessageServer, AWatcherThatDoesNotReadIsDroppedAndTheOthersAreNot) {
  World world({.askers = 64, .patience = std::chrono::minutes(10), .unread = 64 << 10});
  const Fd deaf = world.connect();
  const Fd good = world.connect();
  for (const Fd* socket : {&deaf, &good}) {
    ASSERT_TRUE(send_message(*socket, "watch"));
    world.settle();
  }
  const std::string event(10'000, 'e');
  std::size_t heard = 0;
  std::set<Asker> watchers(world.askers_.begin(), world.askers_.end());
  for (int i = 0; i < 1000; ++i) {
    std::erase_if(watchers, [&](Asker asker) { return !world.server_->tell(asker, event); });
    heard += body_of(good) == event ? 1 : 0;
  }
  EXPECT_EQ(heard, 1000u);
  EXPECT_EQ(watchers, std::set<Asker>{world.askers_[1]});
}

TEST(MessageServer, WhatWaitsIsSentWhenItIsReadAndThenItSaysSo) {
  World world({.askers = 64, .patience = std::chrono::minutes(10), .unread = 8 << 20});
  const Fd socket = world.connect();
  ASSERT_TRUE(send_message(socket, "question"));
  world.settle();
  const std::string large(4 << 20, 'l');
  int sent = 0;
  world.server_->when_sent([&] { ++sent; });
  world.server_->answer(world.askers_.at(0), large);
  EXPECT_TRUE(world.server_->has_unsent());
  EXPECT_EQ(sent, 0);
  std::string got;
  std::string buffer(1 << 16, 0);
  world.until([&] {
    for (ssize_t n = 0; (n = ::recv(socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT)) > 0;)
      got.append(buffer.data(), static_cast<std::size_t>(n));
    return got.size() == large.size() + 4;
  });
  world.settle();
  EXPECT_FALSE(world.server_->has_unsent());
  EXPECT_EQ(sent, 1);
  EXPECT_TRUE(closed(socket));
}

TEST(MessageServer, AnAnswerThatIsNotTakenIsDroppedAfterAWhile) {
  World world({.askers = 64, .patience = std::chrono::milliseconds(1), .unread = 8 << 20});
  const Fd socket = world.connect();
  ASSERT_TRUE(send_message(socket, "question"));
  world.until([&] { return world.askers_.size() == 1; });
  world.server_->answer(world.askers_.at(0), std::string(4 << 20, 'l'));
  EXPECT_TRUE(world.server_->has_unsent());
  world.until([&] { return !world.server_->has_unsent(); });
}

TEST(MessageServer, BeyondItsLimitAskersWaitAndAreThenServed) {
  World world({.askers = 2, .patience = std::chrono::minutes(10), .unread = 1 << 20});
  const Fd first = world.connect();
  const Fd second = world.connect();
  const Fd third = world.connect();
  for (const Fd* socket : {&first, &second, &third}) ASSERT_TRUE(send_message(*socket, "question"));
  world.settle();
  ASSERT_EQ(world.askers_.size(), 2u);
  world.server_->answer(world.askers_[0], "answer");
  world.settle();
  ASSERT_EQ(world.askers_.size(), 3u);
  world.server_->answer(world.askers_[2], "answer");
  EXPECT_EQ(body_of(third), "answer");
}

// SO_PEERCRED is who connects, by its effective ids. Root, which is always heard, becomes another user for it.
Fd connect_as(uid_t user, const World& world) {
  EXPECT_EQ(::chmod(world.directory_.path().c_str(), 0711), 0);
  EXPECT_EQ(::chmod(world.path_.c_str(), 0777), 0);
  if (::getuid() == 0) {
    EXPECT_EQ(::seteuid(user), 0);
  }
  Fd socket = world.connect();
  EXPECT_EQ(::seteuid(::getuid()), 0);
  return socket;
}

TEST(MessageServer, AnotherUserIsNotHeard) {
  const uid_t asking = ::getuid() == 0 ? 65'534 : ::getuid();
  for (const bool owns : {true, false}) {
    World world(kEnough, owns ? asking : asking + 1);
    const Fd socket = connect_as(asking, world);
    (void)send_message(socket, "question");
    world.settle();
    EXPECT_EQ(world.requests_.size(), owns ? 1u : 0u);
  }
}

}  // namespace
}  // namespace sbx::loop
