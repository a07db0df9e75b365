// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "gate/line.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "proxy/bound_hosts.h"
#include "vault/message.h"

namespace sbx::shim {

// The shim's end of the lines to the keeper and, one after the other, to its vaults: the way to bound hosts. What is
// bound stays so when a vault has died: dials wait for the next one, a moment, and then fail. There is no way past it.
class VaultDoor : public proxy::BoundHosts {
 public:
  // There are other bindings. What leads past the vault must be closed when it returns.
  using OnChange = std::function<void()>;

  using Ticket = proxy::Outside::Ticket;
  using OnDialed = proxy::Outside::OnDialed;

  VaultDoor(loop::Loop& loop, Fd keeper, OnChange on_change);

  const vault::Bindings& bindings() const override { return bindings_; }
  Ticket dial(const policy::Target& target, OnDialed done) override;
  void cancel(Ticket ticket) override;

 private:
  struct Waiting {
    policy::Target target;
    OnDialed done;
    bool asked = false;  // this vault, not the one before
    loop::Loop::Timer limit;
  };

  void keeper_said(std::string_view bytes, Fd line);
  void keeper_lost();
  void vault_said(std::string_view bytes, Fd attached);
  void ended_later(const gate::Line* line);
  void vault_lost();
  void heard(const vault::BindingsPart& part);
  void heard(gate::Dialed& dialed, Fd attached);
  void ask(Ticket ticket, Waiting& waiting);
  void fail(Ticket ticket, const std::string& why);
  void finish(Ticket ticket, proxy::Dialed outcome);

  loop::Loop& loop_;
  OnChange on_change_;
  vault::Bindings bindings_;
  std::string parts_;  // of bindings that are on their way
  std::map<Ticket, Waiting> dials_;
  Ticket next_ = 1;
  bool ready_ = false;  // the vault has told its bindings
  bool lost_ = false;   // the keeper is gone
  loop::Lifeline lifeline_;
  std::unique_ptr<gate::Line> vault_;
  gate::Line keeper_;
};

}  // namespace sbx::shim
