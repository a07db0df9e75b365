// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gate/control.h"
#include "gate/desk.h"
#include "gate/dialer.h"
#include "gate/line.h"
#include "gate/message.h"
#include "gate/ports.h"
#include "gate/resolver.h"
#include "gate/scribe.h"
#include "loop/loop.h"
#include "policy/policy.h"

namespace sbx::gate {

// A gate at work: wires what the shim and the daemon say to what does it. Ends the loop when the shim is gone, or
// speaks nonsense: then there is no network rather than one that follows a broken shim.
class Service {
 public:
  struct Inputs {
    loop::Loop& loop;
    Resolver& resolver;
    Scribe& scribe;
    Fd line;
    Fd vaults;   // from the keeper of vaults: a line to each
    Fd signer;   // of the signer
    Fd control;  // network.sock
    uid_t owner;
    policy::Rules rules;
    StaticHosts hosts;
    std::vector<Listening> ports;
  };
  explicit Service(Inputs inputs);

 private:
  // What the daemon asked for and the shim has still to say that it did.
  struct Unanswered {
    Control::Reply reply;
    loop::Loop::Timer limit;
  };

  void packet(std::string_view bytes);
  void open_desk(Fd line);
  void answer_signer(std::string_view bytes);
  void for_each_dialer(const std::function<void(Dialer&)>& act);
  void enforced(std::uint64_t policy);
  void request(const wire::GateRequest& request, const Control::Reply& reply);
  Result<Json> publish(const wire::PublishPorts& call);
  Result<Json> unpublish(const wire::UnpublishPorts& call);
  Result<Json> change_hosts(const wire::SetHosts& call);
  void change_policy(const wire::SetPolicy& call, const Control::Reply& reply);
  void flush(const Control::Reply& reply);
  void flushed(std::uint64_t flush);
  void send_policy(std::uint64_t number, const policy::Rules& rules);

  loop::Loop& loop_;
  Resolver& resolver_;
  Scribe& scribe_;
  std::uint64_t last_policy_ = 0;
  std::map<std::uint64_t, Unanswered> changes_;  // of the policy
  std::uint64_t last_flush_ = 0;
  std::map<std::uint64_t, Unanswered> flushes_;
  Line line_;
  Ports ports_;
  Loans loans_;
  std::shared_ptr<const policy::Policy> policy_;
  StaticHosts hosts_;
  Dialer dialer_;
  std::list<std::unique_ptr<Desk>> desks_;
  Line vaults_;
  Line signer_;
  Control control_;
};

}  // namespace sbx::gate
