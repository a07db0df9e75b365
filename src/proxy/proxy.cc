// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/proxy.h"

#include <openssl/ssl.h>

namespace sbx::proxy {

Result<std::unique_ptr<Proxy>> Proxy::create(Inputs inputs) {
  // The system's configuration of OpenSSL could load code into us.
  OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  TRY_ASSIGN(ca::Mint mint, ca::Mint::create(inputs.authority));
  TRY_ASSIGN(tls::SslContext server, tls::make_server_context());
  auto policy = std::make_shared<const policy::Policy>(std::move(inputs.rules));
  return std::unique_ptr<Proxy>(new Proxy(
      ProxyServices{inputs.loop, inputs.outside, std::move(inputs.sandbox), std::move(inputs.self), std::move(mint),
                    std::move(server), tls::Trust(std::move(inputs.roots)), std::move(policy), inputs.limits,
                    inputs.bound_hosts, 0, std::move(inputs.watch_tunnel), inputs.blob_cache}));
}

Proxy::~Proxy() = default;

void Proxy::serve_forward(std::unique_ptr<streams::Stream> client) { add(std::move(client), std::nullopt); }

void Proxy::serve(policy::Target target, std::unique_ptr<streams::Stream> client) {
  target.path = policy::Path::kTransparent;
  add(std::move(client), std::move(target));
}

void Proxy::add(std::unique_ptr<streams::Stream> client, std::optional<policy::Target> target) {
  const auto place = connections_.emplace(connections_.end());
  *place = std::make_unique<Connection>(services_, std::move(client), std::move(target), [this, place] {
    lifeline_.later([this, place] { connections_.erase(place); });
  });
}

void Proxy::change(policy::Rules rules) {
  services_.policy = std::make_shared<const policy::Policy>(std::move(rules));
  close_offenders();
}

void Proxy::close_offenders() {
  for (auto& connection : connections_)
    if (connection && connection->offends()) connection->close();
}

void Proxy::close_all() {
  for (auto& connection : connections_)
    if (connection) connection->close();
}

}  // namespace sbx::proxy
