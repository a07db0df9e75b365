// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "guest/network/netlink.h"

namespace sbx::guest {

// Brings up lo, gives it 198.18.0.2, and lets programs of the guest find a way to every address, through lo, for TCP
// and for UDP to port 53. There is no way for anything else: UDP, ICMP and raw packets fail at once with "network is
// unreachable". What comes from a nested container's network is not routed either: its TCP is redirected before that,
// and the rest is answered with "administratively prohibited": in a container, where the host's kernel has a limit,
// five times at once and then once a second.
//
// The ways are in a table of their own, looked at after the main one, where a nested dockerd puts its networks.
Result<> set_up_routes();

NetlinkWriter loopback_messages();
NetlinkWriter route_messages(int family);  // AF_INET or AF_INET6

}  // namespace sbx::guest
