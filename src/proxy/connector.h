// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "loop/lifeline.h"
#include "proxy/bound_stream.h"
#include "proxy/services.h"
#include "streams/stream.h"

namespace sbx::proxy {

// A connection to a server: dialed and, if asked for, with TLS.
struct Upstream {
  policy::Target target;
  policy::Address address;
  policy::Verdict verdict;  // under which it was dialed
  std::unique_ptr<streams::Stream> stream;
  tls::Tls* tls = nullptr;       // the stream, if it is TLS
  BoundStream* bound = nullptr;  // the stream, if it leads to the vault, whose TLS it is

  bool encrypted() const { return tls != nullptr || bound != nullptr; }
};
// Whether it leads past the vault to a host that is bound now.
bool bypasses_vault(const Upstream& upstream, const ProxyServices& services);
// What the policy says of it now.
policy::Verdict verdict_on(const Upstream& upstream, const policy::Policy& policy);

using Connected = std::variant<Upstream, Refused, Failed>;

// Makes one. Destroying it gives up.
class Connector {
 public:
  using OnDone = std::function<void(Connected)>;  // once, never from inside the constructor
  using Protocols = std::vector<std::string>;

  // `protocols`: what to offer in TLS; none: no TLS. A target that is a tunnel by its address gets no TLS either. TLS
  // to a bound host is the vault's, which offers HTTP/1.1 only.
  Connector(ProxyServices& services, const policy::Target& target, std::optional<Protocols> protocols, OnDone done);
  ~Connector();
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

 private:
  void dialed(Dialed dialed);
  void reached(Reached reached);
  void reached_vault(Reached reached);
  Result<> start_tls();
  void shaken(const Result<>& done);
  void fail_later(std::string why);
  void finish(Connected connected);

  ProxyServices& services_;
  policy::Target target_;
  std::optional<Protocols> protocols_;
  bool by_vault_;
  OnDone done_;
  std::optional<Upstream> upstream_;  // during its handshake
  std::optional<Outside::Ticket> ticket_;
  loop::Loop::Timer limit_;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::proxy
