// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gate/address_race.h"
#include "gate/loans.h"
#include "gate/message.h"
#include "gate/resolver.h"
#include "gate/static_hosts.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "policy/policy.h"

namespace sbx::gate {

// Decides and connects: asks the policy about the host, resolves it, asks about each address, and dials only what has
// passed. Asks once more before a socket is given away, because the policy may have changed meanwhile. Some hundred
// dials are under way at a time, some thousand more wait for their turn, and any more fail.
class Dialer {
 public:
  using OnDialed = std::function<void(const Dialed& dialed, Fd socket)>;
  using IsOurs = std::function<bool(const policy::Address& address, std::uint16_t port)>;

  struct Inputs {
    loop::Loop& loop;
    Resolver& resolver;
    StaticHosts hosts;
    IsOurs is_ours;  // where we listen ourselves, which would be a loop
    Loans& loans;
    OnDialed on_dialed;
  };
  Dialer(Inputs inputs, std::shared_ptr<const policy::Policy> policy);
  ~Dialer();  // what is under way is given up
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;

  void change_policy(std::shared_ptr<const policy::Policy> policy) { policy_ = std::move(policy); }
  void change_hosts(StaticHosts hosts) { inputs_.hosts = std::move(hosts); }
  // Ends what the policy refuses and the shim still has.
  void enforce() { inputs_.loans.enforce(*policy_); }
  // Answers once through on_dialed, never from inside this call, unless it is cancelled. False: the ticket is taken.
  bool dial(const Dial& dial);
  void cancel(Ticket ticket);  // also what was dialed already

 private:
  struct Job {
    policy::Target target;
    Resolver::Question question = 0;
    std::unique_ptr<AddressRace> race;
  };

  void begin_next();
  void begin(Ticket ticket, Job& job);
  void resolved(Ticket ticket, const Result<Addresses>& addresses);
  void connect(Ticket ticket, Job& job, const Addresses& addresses);
  void connected(Ticket ticket, AddressRace::Outcome outcome);
  void refuse(Ticket ticket, policy::Verdict verdict);
  void give_up(Ticket ticket, std::string error);
  void finish(const Dialed& dialed, Fd socket);

  Inputs inputs_;
  std::shared_ptr<const policy::Policy> policy_;
  std::map<Ticket, Job> jobs_;  // under way
  std::deque<Dial> waiting_;
  std::set<Ticket> known_;  // all of both
  loop::Lifeline lifeline_;
};

}  // namespace sbx::gate
