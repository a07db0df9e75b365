// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "gate/line.h"
#include "loop/loop.h"
#include "loop/message_server.h"
#include "sshagent/line_message.h"
#include "sshagent/real_agent.h"

namespace sbx::sshagent {

// The one process of a sandbox that has a connection to the user's ssh-agent, at work. It has the agent list its keys
// and sign logins, and makes these two messages itself from what the shim says (line_message.h).
//
// A key signs when, in this order: it is one login of SSH and nothing else; the gate says that a connection of this
// sandbox is open to port 22 of the host that the shim names, and that a rule lets it speak SSH; the daemon has written
// the use into the audit log. Where one of them cannot say, the answer is no.
class Signer {
 public:
  static constexpr std::size_t kMostUnderWay = 16;
  static constexpr std::size_t kMostInAMinute = 60;  // signatures: each is a line in the log

  struct Inputs {
    loop::Loop& loop;
    Fd shim;
    Fd gate;
    Fd control;  // signer.sock
    uid_t owner;
  };
  explicit Signer(Inputs inputs);

 private:
  using Number = std::uint64_t;
  struct Waiting {
    Ticket ticket;
    SignAt asked;
  };

  void take_agent(loop::MessageServer::Asker asker, Message message);
  void lose_agent();
  void shim_said(std::string_view bytes);
  void list(Ticket ticket);
  void ask_gate(Ticket ticket, SignAt asked);
  void gate_said(std::string_view bytes);
  void tell_use(Number number, const SignAt& asked);
  void noted(std::string_view bytes);
  bool takes_another();
  void answer(Ticket ticket, decltype(Answer::outcome) outcome);
  void refuse_waiting();

  loop::Loop& loop_;
  Number next_ = 1;
  std::size_t under_way_ = 0;
  std::map<Number, Waiting> waiting_for_gate_;
  std::map<Number, Waiting> waiting_for_log_;
  std::deque<SteadyTime> used_;  // in the last minute
  std::unique_ptr<RealAgent> agent_;
  std::unique_ptr<gate::Line> log_;  // the daemon writes the audit log
  gate::Line shim_;
  gate::Line gate_;
  loop::MessageServer server_;
};

}  // namespace sbx::sshagent
