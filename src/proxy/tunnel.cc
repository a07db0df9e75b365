// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/tunnel.h"

namespace sbx::proxy {

Tunnel::Tunnel(Services& services, Inputs inputs)
    : target_(inputs.target),
      needs_(inputs.needs),
      address_(inputs.upstream.address),
      entry_(services, inputs.target, inputs.verdict, {}),
      relay_(std::move(inputs.client), std::move(inputs.upstream.stream), [this, done = std::move(inputs.on_done)] {
        entry_.counted(relay_.to_right(), relay_.to_left());
        done();
      }) {
  relay_.pass_to_right(inputs.first);
  relay_.start();
  if (inputs.client_over) relay_.end_left();
}

bool Tunnel::offends(const policy::Policy& policy) const {
  policy::Verdict verdict = policy.at_connect(target_);
  if (address_) verdict = policy.at_address(target_, verdict, *address_);
  if (!verdict.allowed() || verdict.passes < needs_) return true;
  return needs_ == policy::Passes::kHttp && verdict.decision != policy::Decision::kTunnel;
}

}  // namespace sbx::proxy
