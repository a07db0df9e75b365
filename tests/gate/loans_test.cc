// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/loans.h"

#include "support/run_loop.h"
#include "world.h"

namespace sbx::gate {
namespace {

using testing::address;
using testing::Upstream;

// Connections to a server of the test, lent and not.
class LoansTest : public ::testing::Test {
 protected:
  Fd connect() const {
    const Endpoint endpoint{address("127.0.0.1"), upstream_.port()};
    Fd socket = std::move(*new_socket(endpoint));
    (void)set_nonblocking(socket, false);
    EXPECT_EQ(connect_to(socket, endpoint), 0);
    return socket;
  }
  bool lend(Ticket ticket, const Fd& socket, const char* host = "nas.example.com") {
    const policy::Target target{*policy::Host::parse(host), upstream_.port()};
    return loans_.add(ticket, socket, target, address("127.0.0.1")).has_value();
  }
  [[nodiscard]] bool until(const std::function<bool()>& is_so) { return sbx::testing::run_until(*loop_, is_so); }
  static bool is_cut_off(const Fd& socket) {
    char byte = 0;
    return ::recv(socket.get(), &byte, 1, MSG_DONTWAIT) == 0 && ::send(socket.get(), &byte, 1, MSG_NOSIGNAL) < 0;
  }

  bool lend_ssh(Ticket ticket, const Fd& socket, const char* host, std::uint16_t port = 22) {
    return loans_.add(ticket, socket, {*policy::Host::parse(host), port}, address("192.0.2.1")).has_value();
  }
  std::vector<std::string> ssh_hosts(const std::vector<const char*>& allowed) const {
    policy::Rules rules = policy::default_rules();
    for (const char* pattern : allowed) rules.allowed.push_back(*policy::Pattern::parse(pattern));
    return loans_.ssh_hosts(policy::Policy(rules));
  }

  Upstream upstream_;
  std::unique_ptr<loop::Loop> loop_ = *loop::Loop::create();
  Loans loans_{*loop_, 3};
};

TEST_F(LoansTest, APolicyEndsWhatItRefusesAndNothingElse) {
  const Fd refused = connect();
  const Fd allowed = connect();
  ASSERT_TRUE(lend(1, refused, "other.example.com"));
  ASSERT_TRUE(lend(2, allowed));
  policy::Rules rules = policy::default_rules();
  rules.allowed.push_back(*policy::Pattern::parse("nas.example.com"));
  loans_.enforce(policy::Policy(rules));
  EXPECT_TRUE(is_cut_off(refused));
  EXPECT_FALSE(is_cut_off(allowed));
  EXPECT_EQ(loans_.size(), 1u);
}

TEST_F(LoansTest, AConnectionThatIsShutDownIsOver) {
  const Fd socket = connect();
  ASSERT_TRUE(lend(1, socket));
  ::shutdown(socket.get(), SHUT_WR);
  EXPECT_EQ(loans_.size(), 1u) << "a half is not the whole";
  ::shutdown(socket.get(), SHUT_RDWR);
  EXPECT_TRUE(until([this] { return loans_.size() == 0; }));
}

using Hosts = std::vector<std::string>;

TEST_F(LoansTest, SshIsOpenToAHostWhoseRuleNamesItsPort) {
  const Fd socket = connect();
  ASSERT_TRUE(lend_ssh(1, socket, "github.com"));
  EXPECT_EQ(ssh_hosts({}), Hosts()) << "the policy allows all hosts, for HTTP";
  EXPECT_EQ(ssh_hosts({"github.com"}), Hosts()) << "for HTTP, too";
  EXPECT_EQ(ssh_hosts({"github.com:22"}), Hosts{"github.com"});
  EXPECT_EQ(ssh_hosts({"github.com:2222", "gitlab.com:22"}), Hosts());
}

TEST_F(LoansTest, SshIsNotOpenByAnotherPortOrWhenItIsOver) {
  const Fd other = connect();
  const Fd closed = connect();
  ASSERT_TRUE(lend_ssh(1, other, "github.com", 2222));
  ASSERT_TRUE(lend_ssh(2, closed, "github.com"));
  EXPECT_EQ(ssh_hosts({"github.com:22", "github.com:2222"}), Hosts{"github.com"});
  ::shutdown(closed.get(), SHUT_RDWR);
  EXPECT_TRUE(until([this] { return loans_.size() == 1; }));
  EXPECT_EQ(ssh_hosts({"github.com:22", "github.com:2222"}), Hosts());
}

TEST_F(LoansTest, WhatIsOnlyClosedUsesUpTheLoans) {
  for (Ticket ticket = 1; ticket <= 3; ++ticket) ASSERT_TRUE(lend(ticket, connect()));
  EXPECT_FALSE(lend(4, connect()));
  loans_.end(2);
  EXPECT_TRUE(lend(4, connect()));
  loans_.end(77);
  EXPECT_EQ(loans_.size(), 3u);
}

}  // namespace
}  // namespace sbx::gate
