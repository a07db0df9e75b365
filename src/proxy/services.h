// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "loop/loop.h"
#include "policy/policy.h"
#include "proxy/bound_hosts.h"
#include "proxy/limits.h"
#include "proxy/outside.h"
#include "tls/tls.h"
#include "tls/trust.h"

namespace sbx::proxy {

// What every connection uses and none owns.
struct ProxyServices {
  loop::Loop& loop;
  Outside& outside;
  std::string sandbox;  // its name, for the explanations
  policy::Target self;  // our forward proxy, as programs know it: the target in the log of what has no other
  ca::Mint mint;
  tls::SslContext server;
  tls::Trust trust;
  std::shared_ptr<const policy::Policy> policy;  // replaced whole when it changes
  ProxyLimits limits;
  BoundHosts* bound_hosts = nullptr;  // null: there are no credentials
  std::int64_t last_entry = 0;        // of the network log

  const vault::Bindings* bindings() const { return bound_hosts == nullptr ? nullptr : &bound_hosts->bindings(); }
  // Whether requests to it, over TLS, get a credential.
  bool binds(const policy::Target& target) const {
    return bound_hosts != nullptr && bound_hosts->bindings().binds(target.host.text());
  }
};

}  // namespace sbx::proxy
