// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace sbx::proxy {

// How long a connection may take for what holds resources and brings nothing.
struct ProxyLimits {
  std::chrono::milliseconds silence{200};  // of a client, until we see whether the server speaks first
  std::chrono::milliseconds opening = std::chrono::seconds(30);    // until it is clear what a client speaks
  std::chrono::milliseconds handshake = std::chrono::seconds(10);  // of TLS, on either side
  std::chrono::milliseconds head = std::chrono::seconds(30);       // of a request, from its first byte to its last
  std::chrono::milliseconds idle = std::chrono::minutes(5);        // between requests
  // Of a server that says nothing, once the client has half-closed: it may wait for the answer, or have given up.
  std::chrono::milliseconds half_closed = std::chrono::minutes(1);
  std::chrono::milliseconds last_words = std::chrono::seconds(2);  // a client is heard out after our last answer
};

}  // namespace sbx::proxy
