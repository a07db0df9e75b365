// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>

#include "ca/authority.h"
#include "loop/lifeline.h"
#include "proxy/connection.h"
#include "proxy/services.h"

namespace sbx::proxy {

// Everything that the programs of one sandbox want to reach comes here, one stream for each connection. It opens
// nothing itself: see Outside.
class Proxy {
 public:
  struct Inputs {
    loop::Loop& loop;
    Outside& outside;
    std::string sandbox;
    policy::Target self;  // see ProxyServices
    ca::Authority authority;
    Fd roots;  // tls::Trust::open_bundle()
    policy::Rules rules;
    ProxyLimits limits = {};
    BoundHosts* bound_hosts = nullptr;  // null: there are no credentials
    WatchTunnel watch_tunnel = {};
    BlobCache* blob_cache = nullptr;  // null: there is none
  };
  // Everything of OpenSSL's that needs a file is opened here.
  static Result<std::unique_ptr<Proxy>> create(Inputs inputs);
  ~Proxy();

  // A program's connection to our forward proxy, and one to somewhere else.
  void serve_forward(std::unique_ptr<streams::Stream> client);
  void serve(policy::Target target, std::unique_ptr<streams::Stream> client);

  // Connections that the new rules do not allow are closed before it returns.
  void change(policy::Rules rules);

  // Connections that lead past the vault to a host that is bound now are closed before it returns.
  void bindings_changed() { close_offenders(); }

  void close_all();

  std::size_t connections() const { return connections_.size(); }

 private:
  explicit Proxy(ProxyServices services) : services_(std::move(services)), lifeline_(services_.loop) {}
  void close_offenders();
  void add(std::unique_ptr<streams::Stream> client, std::optional<policy::Target> target);

  ProxyServices services_;
  std::list<std::unique_ptr<Connection>> connections_;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::proxy
