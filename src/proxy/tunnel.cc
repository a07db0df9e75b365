// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/tunnel.h"

namespace sbx::proxy {

policy::Verdict untouched(policy::Verdict verdict) {
  verdict.decision = policy::Decision::kTunnel;
  return verdict;
}

namespace {

std::unique_ptr<streams::Stream> watched(const ProxyServices& services, Upstream& upstream) {
  if (!services.watch_tunnel) return std::move(upstream.stream);
  return services.watch_tunnel(upstream.target, std::move(upstream.stream));
}

}  // namespace

Tunnel::Tunnel(ProxyServices& services, Inputs inputs)
    : needs_(inputs.needs),
      upstream_(std::move(inputs.upstream)),
      entry_(services, upstream_.target, untouched(upstream_.verdict), {}),
      relay_(std::move(inputs.client), watched(services, upstream_), [this, done = std::move(inputs.on_done)] {
        entry_.counted(relay_.to_right(), relay_.to_left());
        done();
      }) {
  relay_.pass_to_right(inputs.first);
  relay_.start();
  if (inputs.client_over) relay_.end_left();
}

bool Tunnel::offends(const policy::Policy& policy) const {
  const policy::Verdict verdict = verdict_on(upstream_, policy);
  if (!verdict.allowed() || verdict.passes < needs_) return true;
  return needs_ == policy::Passes::kHttp && verdict.decision != policy::Decision::kTunnel;
}

}  // namespace sbx::proxy
