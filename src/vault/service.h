// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "gate/line.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "tls/trust.h"
#include "vault/credentials.h"
#include "vault/message.h"
#include "vault/passage.h"

namespace sbx::vault {

// A vault at work: takes credentials from its keeper, dials through the gate, and opens a Passage for each connection
// that the shim asks for. Ends the loop when one of the three is gone, or speaks nonsense.
class Service {
 public:
  struct Inputs {
    loop::Loop& loop;
    Fd keeper;
    Fd shim;
    Fd gate;
    tls::Trust trust;
  };
  explicit Service(Inputs inputs);

 private:
  // A connection that the shim has asked for, by the ticket that the gate knows it by. One that is being dialed, one
  // whose TLS is being made, and one that is open.
  struct Errand {
    Ticket shims;
    policy::Target target;
    std::optional<gate::Reached> reached;
    bool open = false;
    std::unique_ptr<Passage> passage;
  };

  void keeper_said(std::string_view bytes, const Fd& attached);
  void load(std::uint64_t number, const Fd& file);
  void tell_bindings(std::uint64_t number);
  void shim_said(std::string_view bytes);
  void dial(const gate::Dial& dial);
  void cancel(Ticket shims);
  void gate_said(std::string_view bytes, Fd attached);
  void reached(Ticket ticket, Errand& errand, gate::Reached reached, Fd socket);
  void opened(Ticket ticket, Result<Fd> made);
  void answer(Ticket shims, gate::Failed failed);
  void drop(Ticket ticket);
  void check_all();
  void await_expiry();
  void end(const char* why);

  loop::Loop& loop_;
  tls::Trust trust_;
  std::shared_ptr<const Credentials> credentials_;  // null: none were loaded
  std::map<Ticket, Errand> errands_;
  Ticket next_ = 1;
  loop::Loop::Timer expiry_;
  loop::Lifeline lifeline_;
  gate::Line keeper_;
  gate::Line shim_;
  gate::Line gate_;
};

}  // namespace sbx::vault
