// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proxy/services.h"
#include "streams/stream.h"

namespace sbx::proxy {

// A way to a server, made: dialled and, if asked for, TLS shaken. One of: a stream; a refusal; an error.
struct Upstream {
  policy::Verdict verdict;
  std::unique_ptr<streams::Stream> stream;
  std::optional<policy::Address> address;
  Tls* tls = nullptr;  // the stream, if it is TLS
  std::string error;   // for a person
};

// Makes one. Destroying it gives up.
class Connector {
 public:
  using OnDone = std::function<void(Upstream)>;  // once, never from inside start()
  using Protocols = std::vector<std::string>;

  // `protocols`: what to offer in TLS; none: no TLS. A target that is a tunnel by its address gets no TLS either.
  Connector(Services& services, const policy::Target& target, std::optional<Protocols> protocols, OnDone done);
  ~Connector();
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

 private:
  void dialled(Dialled dialled);
  Result<> start_tls();
  void shaken(const Result<>& done);
  void give_up(std::string error);
  void finish();

  Services& services_;
  policy::Target target_;
  std::optional<Protocols> protocols_;
  OnDone done_;
  Upstream upstream_;
  std::optional<Outside::Ticket> ticket_;
  std::optional<loop::Loop::Timer> limit_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace sbx::proxy
