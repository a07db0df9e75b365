// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "loop/loop.h"
#include "policy/policy.h"
#include "proxy/blob_cache.h"
#include "proxy/bound_hosts.h"
#include "proxy/limits.h"
#include "proxy/outside.h"
#include "proxy/redirected_blobs.h"
#include "streams/stream.h"
#include "tls/tls.h"
#include "tls/trust.h"

namespace sbx::proxy {

// The stream to the server of a tunnel, with one around it that looks at what passes.
using WatchTunnel = std::function<std::unique_ptr<streams::Stream>(const policy::Target& target,
                                                                   std::unique_ptr<streams::Stream> server)>;

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
  WatchTunnel watch_tunnel = {};      // none: nothing is looked at
  BlobCache* blob_cache = nullptr;    // null: blobs of registries are not kept
  RedirectedBlobs redirected_blobs = {};

  const vault::Bindings* bindings() const { return bound_hosts == nullptr ? nullptr : &bound_hosts->bindings(); }
  // Whether requests to it, over TLS, get a credential.
  bool binds(const policy::Target& target) const {
    return bound_hosts != nullptr && bound_hosts->bindings().binds(target.host.text());
  }
};

}  // namespace sbx::proxy
