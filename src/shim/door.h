// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/fd.h"
#include "gate/line.h"
#include "gate/message.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "proxy/outside.h"

namespace sbx::shim {

// The shim's end of the line to its gate: the only way to the network. When the gate is gone every dial fails, now and
// from then on, and the sandbox runs on without network.
class Door : public proxy::Outside {
 public:
  struct Handlers {
    // There are new rules. What they forbid must be closed when it returns; that is what the daemon is told.
    std::function<void(const policy::Rules& rules)> on_policy;
    // A client has connected to a published port: to this one of the guest's.
    std::function<void(std::uint16_t port, Fd socket)> on_accepted;
    // The gate is gone, and the policy can no longer be changed.
    std::function<void()> on_lost = {};
  };

  Door(loop::Loop& loop, Fd socket, Handlers handlers);
  ~Door() override;

  Ticket dial(const policy::Target& target, OnDialed done) override;
  void cancel(Ticket ticket) override;
  // Passed on within a moment, many at a time. A gate that does not keep up costs records, which are counted, and told
  // to it as soon as it does.
  void record(const netlog::Record& record) override;

 private:
  void packet(std::string_view bytes, Fd attached);
  void heard(gate::Dialed& dialed, Fd& attached);
  void heard(const gate::PolicyPart& part);
  void finish(Ticket ticket, proxy::Dialed outcome);
  void fail(Ticket ticket, const std::string& why);
  void flush();
  void tell_losses();
  void lose();

  loop::Loop& loop_;
  Handlers handlers_;
  std::map<Ticket, OnDialed> dials_;
  Ticket next_ = 1;
  std::string policy_;   // the parts of one that is on its way
  std::string records_;  // packed, not yet sent
  loop::Loop::Timer flushing_;
  netlog::Losses lost_;  // and the gate has not heard of them
  bool gone_ = false;
  loop::Lifeline lifeline_;
  gate::Line line_;
};

}  // namespace sbx::shim
