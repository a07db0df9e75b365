// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "policy/address.h"

namespace sbx::gate {

// An address and a port, as the kernel has them and as people write them.
struct Endpoint {
  policy::Address address;
  std::uint16_t port;

  std::string text() const;  // 192.0.2.1:443, [2001:db8::1]:443
};

Result<Fd> new_socket(const Endpoint& endpoint);  // TCP, non-blocking
// As the system calls: 0, or -1 and errno.
int connect_to(const Fd& socket, const Endpoint& endpoint);
int bind_to(const Fd& socket, const Endpoint& endpoint);
Result<std::uint16_t> port_of(const Fd& socket);  // that it is bound to

}  // namespace sbx::gate
