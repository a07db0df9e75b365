// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::guest {

// A socket (SOCK_STREAM, which then listens, or SOCK_DGRAM) on this port of all addresses of IPv4 and, where the kernel
// has it, IPv6. It does not block.
Result<Fd> bind_any_address(int type, std::uint16_t port);

}  // namespace sbx::guest
