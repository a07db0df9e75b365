// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::guest {

// Connects to a port of the guest's own loopback, of IPv4 or else IPv6.
Result<Fd> connect_inside(std::uint16_t port);

// Whether a socket listens on the port, by the text of /proc/net/tcp or tcp6. It is not connected to: there are
// programs that wait for one connection only.
bool has_listener(std::string_view table, std::uint16_t port);

// Passes bytes on between two descriptors and a socket, each direction until its end (half-close), with blocking I/O.
// Ends when the socket's side has ended.
Result<> relay(const Fd& in, const Fd& out, const Fd& socket);

}  // namespace sbx::guest
