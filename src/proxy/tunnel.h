// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "proxy/connector.h"
#include "proxy/entry.h"
#include "proxy/session.h"
#include "streams/relay.h"

namespace sbx::proxy {

// Bytes passed on untouched: TLS that is not to be inspected, or a protocol that we do not know, to a host and port
// that were named.
class Tunnel final : public Session {
 public:
  struct Inputs {
    std::unique_ptr<streams::Stream> client;
    std::string first;  // what was read from it already
    policy::Target target;
    policy::Verdict verdict;
    bool raw;          // neither TLS nor HTTP
    bool client_over;  // it has ended already
    Upstream upstream;
    OnDone on_done;
  };
  Tunnel(Services& services, Inputs inputs);

  bool offends(const policy::Policy& policy) const override;

 private:
  policy::Target target_;
  bool raw_;
  std::optional<policy::Address> address_;
  Entry entry_;
  streams::Relay relay_;
};

}  // namespace sbx::proxy
