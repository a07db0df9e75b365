// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/connector.h"

#include <utility>

#include "streams/socket_stream.h"

namespace sbx::proxy {

Connector::Connector(ProxyServices& services, const policy::Target& target, std::optional<Protocols> protocols,
                     OnDone done)
    : services_(services),
      target_(target),
      protocols_(std::move(protocols)),
      by_vault_(protocols_ && services.binds(target)),
      done_(std::move(done)),
      lifeline_(services.loop) {
  const auto done_dialing = [this](Dialed result) { dialed(std::move(result)); };
  ticket_ =
      by_vault_ ? services_.bound_hosts->dial(target_, done_dialing) : services_.outside.dial(target_, done_dialing);
}

Connector::~Connector() {
  if (!ticket_) return;
  if (by_vault_)
    services_.bound_hosts->cancel(*ticket_);
  else
    services_.outside.cancel(*ticket_);
}

void Connector::dialed(Dialed dialed) {
  ticket_.reset();
  if (auto* failed = std::get_if<Failed>(&dialed)) return finish(std::move(*failed));
  if (auto* refused = std::get_if<Refused>(&dialed)) return finish(std::move(*refused));
  if (by_vault_)
    reached_vault(std::get<Reached>(std::move(dialed)));
  else
    reached(std::get<Reached>(std::move(dialed)));
}

void Connector::reached_vault(Reached reached) {
  auto stream = std::make_unique<BoundStream>(
      services_.loop, std::make_unique<streams::SocketStream>(services_.loop, std::move(reached.socket)));
  BoundStream* bound = stream.get();
  finish(Upstream{target_, reached.address, std::move(reached.verdict), std::move(stream), nullptr, bound});
}

void Connector::reached(Reached reached) {
  const bool untouched = reached.verdict.decision == policy::Decision::kTunnel;
  upstream_ = {target_, reached.address, std::move(reached.verdict),
               std::make_unique<streams::SocketStream>(services_.loop, std::move(reached.socket),
                                                       streams::SocketStream::End::kShutDown)};
  if (!protocols_ || untouched) return finish(std::move(*upstream_));
  if (auto started = start_tls(); !started) fail_later(started.error().what());
}

Result<> Connector::start_tls() {
  TRY_ASSIGN(SSL_CTX * context, services_.trust.client_context());
  TRY_ASSIGN(tls::SslPtr ssl, tls::make_client(context, target_.host, *protocols_));
  auto tls = std::make_unique<tls::Tls>(services_.loop, std::move(ssl), std::move(upstream_->stream));
  upstream_->tls = tls.get();
  upstream_->stream = std::move(tls);
  limit_ = services_.loop.after(services_.limits.handshake,
                                [this] { fail_later("it did not finish the TLS handshake in time"); });
  upstream_->tls->start({}, [this](const Result<>& done) { shaken(done); });
  return Ok{};
}

void Connector::shaken(const Result<>& done) {
  if (!done) return fail_later(done.error().what());
  finish(std::move(*upstream_));
}

// Later, because it may be the stream itself that calls.
void Connector::fail_later(std::string why) {
  lifeline_.later([this, why = std::move(why)] {
    upstream_.reset();
    finish(Failed{why});
  });
}

// It may destroy us. SECURITY: credentials may have come while we dialed.
void Connector::finish(Connected connected) {
  limit_.cancel();
  if (const auto* upstream = std::get_if<Upstream>(&connected); upstream && bypasses_vault(*upstream, services_))
    connected = Failed{"it has a credential now; connect anew"};
  if (const OnDone done = std::exchange(done_, nullptr)) done(std::move(connected));
}

bool bypasses_vault(const Upstream& upstream, const ProxyServices& services) {
  return upstream.tls != nullptr && services.binds(upstream.target);
}

policy::Verdict verdict_on(const Upstream& upstream, const policy::Policy& policy) {
  return policy.at_address(upstream.target, policy.at_connect(upstream.target), upstream.address);
}

}  // namespace sbx::proxy
