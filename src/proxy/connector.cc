// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/connector.h"

#include <utility>

#include "streams/socket_stream.h"

namespace sbx::proxy {

Connector::Connector(Services& services, const policy::Target& target, std::optional<Protocols> protocols, OnDone done)
    : services_(services), target_(target), protocols_(std::move(protocols)), done_(std::move(done)) {
  ticket_ = services_.outside.dial(target_, [this](Dialled result) { dialled(std::move(result)); });
}

Connector::~Connector() {
  *alive_ = false;
  if (ticket_) services_.outside.cancel(*ticket_);
  if (limit_) services_.loop.cancel(*limit_);
}

void Connector::dialled(Dialled dialled) {
  ticket_.reset();
  upstream_.verdict = dialled.verdict;
  upstream_.address = dialled.address;
  upstream_.error = std::move(dialled.error);
  if (!dialled.socket) return finish();
  upstream_.stream = std::make_unique<streams::SocketStream>(services_.loop, std::move(dialled.socket),
                                                             streams::SocketStream::End::kShutDown);
  if (!protocols_ || upstream_.verdict.decision == policy::Decision::kTunnel) return finish();
  if (auto started = start_tls(); !started) give_up(started.error().what());
}

Result<> Connector::start_tls() {
  TRY_ASSIGN(SSL_CTX * context, services_.trust.client_context());
  TRY_ASSIGN(SslPtr ssl, make_client(context, target_.host, *protocols_));
  auto tls = std::make_unique<Tls>(services_.loop, std::move(ssl), std::move(upstream_.stream));
  upstream_.tls = tls.get();
  upstream_.stream = std::move(tls);
  limit_ = services_.loop.after(services_.limits.handshake, [this] {
    limit_.reset();
    give_up("it did not finish the TLS handshake in time");
  });
  upstream_.tls->start({}, [this](const Result<>& done) { shaken(done); });
  return Ok{};
}

void Connector::shaken(const Result<>& done) {
  if (!done) return give_up(done.error().what());
  finish();
}

// Later, because it may be the stream itself that calls.
void Connector::give_up(std::string error) {
  upstream_.error = std::move(error);
  services_.loop.later([this, alive = alive_] {
    if (!*alive) return;
    upstream_.tls = nullptr;
    upstream_.stream.reset();
    finish();
  });
}

// It may destroy us.
void Connector::finish() {
  if (limit_) services_.loop.cancel(*std::exchange(limit_, std::nullopt));
  if (const OnDone done = std::exchange(done_, nullptr)) done(std::move(upstream_));
}

}  // namespace sbx::proxy
