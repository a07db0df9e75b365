// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "policy/address.h"

namespace sbx::policy {

// The IPv4 addresses that a packet to this IPv6 address may end at, on a host with the matching translator or tunnel:
// IPv4-compatible and -translated, NAT64 (64:ff9b::/96, and 64:ff9b:1::/48 in each of the layouts of RFC 6052), 6to4,
// Teredo (client and server), ISATAP under any prefix. Empty for IPv4 and for plain IPv6. Mapped addresses need no
// place here: an Address is IPv4 then. 6rd and a network's own NAT64 prefix cannot be told from other addresses.
std::vector<Address> embedded_ipv4(const Address& address);

}  // namespace sbx::policy
