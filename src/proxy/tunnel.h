// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "proxy/connector.h"
#include "proxy/log_line.h"
#include "proxy/session.h"
#include "streams/relay.h"

namespace sbx::proxy {

// Bytes passed on untouched: TLS that is not to be inspected, a protocol that we do not know to a host and port that a
// rule names, or whatever it is where a rule says so.
class Tunnel final : public ProxySession {
 public:
  struct Inputs {
    std::unique_ptr<streams::Stream> client;
    std::string first;     // what was read from it already
    policy::Passes needs;  // what must pass at the target; kHttp: TLS, and it must not be inspected
    bool client_over;      // it has ended already
    Upstream upstream;
    OnDone on_done;
  };
  Tunnel(ProxyServices& services, Inputs inputs);

  bool offends(const policy::Policy& policy) const override;

 private:
  policy::Passes needs_;
  Upstream upstream_;  // its stream is the relay's
  LogLine entry_;
  streams::Relay relay_;
};

// The verdict that lets something pass, on bytes that are not looked at: this is how a tunnel is logged.
policy::Verdict untouched(policy::Verdict verdict);

}  // namespace sbx::proxy
