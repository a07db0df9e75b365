// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "guest/network/netlink.h"

namespace sbx::guest {

// Has the kernel redirect to init's two ports what goes to an address that is not the guest's own: TCP to kCapturePort,
// TCP and UDP to port 53 to kNamePort; of the guest's own programs, and of nested containers and network namespaces.
// In nft's words:
//
//   table inet sandbox {
//     chain output     { type nat hook output priority -100;
//                        oif != lo accept; fib daddr type local accept; goto capture }
//     chain prerouting { type nat hook prerouting priority -100;
//                        fib daddr type local accept; fib daddr oif 0 goto capture; fib daddr oif lo goto capture }
//     chain capture    { udp dport 53 redirect to :1022; tcp dport 53 redirect to :1022; tcp redirect to :1021 }
//   }
//
// A process with CAP_NET_ADMIN may take this away, and the guest has no network then: there is no device behind it.
Result<> set_up_redirect();

NetlinkWriter redirect_messages();

}  // namespace sbx::guest
