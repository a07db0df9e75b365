// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/child.h"
#include "base/socket.h"
#include "gate/endpoint.h"
#include "gate/gate.h"
#include "gate/line.h"
#include "gate/message.h"
#include "netlog/database.h"
#include "policy/edits.h"
#include "policy/rules_file.h"
#include "support/run_loop.h"
#include "support/temporary_directory.h"

namespace sbx::gate::testing {

inline policy::Address address(std::string_view text) { return *policy::Address::parse(text); }

// A server on the host's loopback.
class Upstream {
 public:
  explicit Upstream(std::string_view at = "127.0.0.1", std::uint16_t port = 0, int backlog = 4096) {
    const Endpoint endpoint{address(at), port};
    listener_ = std::move(*new_socket(endpoint));
    const int on = 1;
    ::setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    EXPECT_EQ(bind_to(listener_, endpoint), 0);
    EXPECT_EQ(::listen(listener_.get(), backlog), 0);
  }
  std::uint16_t port() const { return *port_of(listener_); }
  // Whether somebody has connected.
  bool visited() const {
    pollfd state{listener_.get(), POLLIN, 0};
    return ::poll(&state, 1, 0) == 1;
  }
  // Takes who has come and lets them go.
  void turn_away_all() const {
    while (Fd visitor{::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)}) continue;
  }

 private:
  Fd listener_;
};

struct Answer {
  Dialed dialed;
  Fd socket;

  // Each of these is what the test expects: anything else ends it.
  const Reached& reached() const { return std::get<Reached>(dialed.outcome); }
  const policy::Verdict& refusal() const { return std::get<Refused>(dialed.outcome).verdict; }
  const std::string& failure() const { return std::get<Failed>(dialed.outcome).why; }
  bool refused() const { return std::holds_alternative<Refused>(dialed.outcome); }
};

// A gate in a process of its own, and the test in the place of its shim and its daemon.
class World {
 public:
  World() : loop_(*loop::Loop::create()) {
    network_.rules = policy::encode(rules_);
    // As root, an id that nobody has; the state directory stays ours.
    options_ = {state_.path(), ::geteuid() == 0 ? 3'900'000'000u : 0u};
  }
  ~World() {
    line_.reset();
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  policy::Rules& rules() { return rules_; }
  World& allow(const std::string& pattern) {
    rules_.allowed.push_back(*policy::Pattern::parse(pattern));
    return *this;
  }
  World& static_host(const std::string& name, const std::string& at) {
    network_.hosts.push_back({name, at});
    return *this;
  }
  World& publish(const wire::PublishedPort& port) {
    network_.ports.push_back(port);
    return *this;
  }

  Result<> try_start() {
    network_.rules = policy::encode(rules_);
    TRY_ASSIGN(Started started, gate::start(network_, options_));
    pid_ = started.pid;
    vaults_ = std::move(started.vaults);
    line_ = std::make_unique<Line>(
        *loop_, std::move(started.line),
        [this](std::string_view bytes, Fd attached) { heard(bytes, std::move(attached)); }, [this] { ended_ = true; });
    return Ok{};
  }
  World& start() {
    const auto started = try_start();
    EXPECT_TRUE(started) << started.error().what();
    return *this;
  }

  [[nodiscard]] bool until(const std::function<bool()>& is_so) { return sbx::testing::run_until(*loop_, is_so); }

  Ticket send_dial(const std::string& host, std::uint16_t port) {
    line_->send(encode(Dial{++tickets_, {*policy::Host::parse(host), port, policy::Path::kForward}}));
    return tickets_;
  }
  Answer dial(const std::string& host, std::uint16_t port) {
    const Ticket ticket = send_dial(host, port);
    EXPECT_TRUE(until([&] { return answers_.contains(ticket) || ended_; })) << "no answer";
    return take(ticket);
  }
  Answer take(Ticket ticket) {
    auto node = answers_.extract(ticket);
    if (node.empty()) return {{ticket, Failed{"no answer"}}, {}};
    return std::move(node.mapped());
  }

  // A request of the daemon's; meanwhile the shim does its work.
  Json ask(const Json& request) {
    const auto socket = connect_unix(state_ / "network.sock");
    if (!socket || !send_message(*socket, dump(request))) return {};
    pollfd state{socket->get(), POLLIN, 0};
    EXPECT_TRUE(until([&] { return ::poll(&state, 1, 0) == 1; })) << "no answer to " << dump(request);
    auto message = receive_message(*socket);
    return message && *message ? *parse_json((*message)->body) : Json();
  }
  Json change_policy(const policy::Rules& rules) { return ask({{"op", "policy"}, {"rules", policy::encode(rules)}}); }

  bool gate_is_gone() {
    return until([this] { return ended_; });
  }

  sbx::testing::TemporaryDirectory state_;
  wire::NetworkConfig network_;
  Options options_;
  policy::Rules rules_ = policy::default_rules();
  std::unique_ptr<loop::Loop> loop_;
  std::unique_ptr<Line> line_;
  Fd vaults_;  // the keeper's end
  pid_t pid_ = -1;
  Ticket tickets_ = 0;
  std::map<Ticket, Answer> answers_;
  std::deque<std::pair<std::uint16_t, Fd>> accepted_;
  std::string policy_;
  int policies_ = 0;      // that arrived whole
  bool enforces_ = true;  // and says so
  bool flushes_ = true;   // when it is asked to
  std::string unsent_;    // records that it sends then
  bool ended_ = false;

 private:
  void heard(std::string_view bytes, Fd attached) {
    auto message = decode_from_gate(bytes);
    ASSERT_TRUE(message);
    if (auto* dialed = std::get_if<Dialed>(&*message))
      answers_.insert_or_assign(dialed->ticket, Answer{std::move(*dialed), std::move(attached)});
    if (const auto* accepted = std::get_if<Accepted>(&*message))
      accepted_.emplace_back(accepted->port, std::move(attached));
    if (const auto* flush = std::get_if<Flush>(&*message); flush != nullptr && flushes_) {
      if (!unsent_.empty()) line_->send(encode_records(std::exchange(unsent_, {})));
      line_->send(encode(Flushed{flush->flush}));
    }
    if (const auto* part = std::get_if<PolicyPart>(&*message)) {
      policy_ += part->text;
      if (!part->last) return;
      EXPECT_TRUE(policy::read_rules(std::exchange(policy_, {}), "policy"));
      ++policies_;
      if (enforces_) line_->send(encode(Enforced{part->policy}));
    }
  }
};

}  // namespace sbx::gate::testing
