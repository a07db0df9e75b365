// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "loop/loop.h"
#include "proxy/outside.h"

namespace sbx::testing {

// A way out without a gate: hosts are those of a table, all on loopback; connects at once, unless dials are held back.
// It asks the policy as the gate does, and remembers what it was told to log.
class DirectOutside : public proxy::Outside {
 public:
  explicit DirectOutside(loop::Loop& loop) : loop_(loop) {}

  std::map<std::string, std::string, std::less<>> hosts;  // name → address
  std::string resolve_all_to;                             // the address of all others; empty: there are none
  std::map<std::uint16_t, std::uint16_t> ports;           // port → the one of loopback that is dialed in its place
  std::shared_ptr<const policy::Policy> policy;
  std::vector<netlog::Record> records;
  std::vector<std::string> dials;
  bool keep_records = true;

  Ticket dial(const policy::Target& target, OnDialed done) override {
    const Ticket ticket = next_++;
    open_.insert(ticket);
    if (keep_records) dials.push_back(target.text());
    auto connect_now = [this, ticket, target, done = std::move(done)] {
      if (open_.erase(ticket) != 0) done(dialed(target));
    };
    if (held_)
      waiting_.push_back(std::move(connect_now));
    else
      loop_.later(std::move(connect_now));
    return ticket;
  }
  void cancel(Ticket ticket) override { open_.erase(ticket); }
  void hold(bool held) {
    held_ = held;
    for (auto& dial : std::exchange(waiting_, {})) loop_.later(std::move(dial));
  }
  void record(const netlog::Record& record) override {
    if (!keep_records) return;
    for (auto& known : records)
      if (known.id == record.id) {
        known = record;
        return;
      }
    records.push_back(record);
  }

 private:
  proxy::Dialed dialed(const policy::Target& target) const {
    policy::Verdict verdict = policy->at_connect(target);
    if (!verdict.allowed()) return proxy::Refused{std::move(verdict)};
    const auto known = hosts.find(target.host.text());
    auto address = known != hosts.end() ? policy::Address::parse(known->second) : target.host.address();
    if (!address) address = policy::Address::parse(resolve_all_to);
    if (!address) return proxy::Failed{"no such host"};
    verdict = policy->at_address(target, verdict, *address);
    if (!verdict.allowed()) return proxy::Refused{std::move(verdict)};
    return connected(target.port, *address, std::move(verdict));
  }

  proxy::Dialed connected(std::uint16_t port, const policy::Address& host, policy::Verdict verdict) const {
    const auto instead = ports.find(port);
    const bool here = instead != ports.end();
    if (!here && !resolve_all_to.empty()) return proxy::Failed{"nobody listens there"};
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(here ? instead->second : port);
    ::inet_pton(AF_INET, here ? "127.0.0.1" : host.text().c_str(), &address.sin_addr);
    Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      return proxy::Failed{std::strerror(errno)};
    const int yes = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::fcntl(socket.get(), F_SETFL, ::fcntl(socket.get(), F_GETFL) | O_NONBLOCK);
    return proxy::Reached{std::move(socket), host, std::move(verdict)};
  }

  loop::Loop& loop_;
  Ticket next_ = 1;
  bool held_ = false;
  std::vector<std::function<void()>> waiting_;
  std::set<Ticket> open_;
};

}  // namespace sbx::testing
