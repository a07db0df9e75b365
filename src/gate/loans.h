// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "gate/message.h"
#include "loop/loop.h"
#include "policy/policy.h"

namespace sbx::gate {

// The connections that the shim was given, for as long as they live: a copy of each socket, so that what a new policy
// refuses ends whether the shim lets go of it or not. A connection counts as over when both of its directions are
// closed, which is why a shim shuts a socket down before it closes it; one that does not will run out of loans.
class Loans {
 public:
  static constexpr std::size_t kMost = 16'384;

  explicit Loans(loop::Loop& loop, std::size_t most = kMost) : loop_(loop), most_(most) {}
  ~Loans();
  Loans(const Loans&) = delete;
  Loans& operator=(const Loans&) = delete;

  // Fails if there are too many, and then the socket must not be given away.
  Result<> add(Ticket ticket, const Fd& socket, const policy::Target& target, const policy::Address& address);
  bool has(Ticket ticket) const { return loans_.contains(ticket); }
  std::size_t size() const { return loans_.size(); }

  // Where those lead that are open to port 22 and that a rule for that port lets speak SSH, each host once.
  std::vector<std::string> ssh_hosts(const policy::Policy& policy) const;

  void end(Ticket ticket);  // if there is such a one
  void end_all();
  void enforce(const policy::Policy& policy);  // ends those that it refuses

 private:
  struct Loan {
    Fd socket;
    policy::Target target;
    policy::Address address;
  };
  using Place = std::map<Ticket, Loan>::iterator;

  void changed(Ticket ticket, std::uint32_t events);
  Place forget(Place place);

  loop::Loop& loop_;
  std::size_t most_;
  std::map<Ticket, Loan> loans_;
};

}  // namespace sbx::gate
