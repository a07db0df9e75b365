// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The numbers that the guest's network is made of. 198.18.0.0/15 is set aside for tests of network devices (RFC 2544)
// and so belongs to no host that a program could want to reach.
namespace sbx::guest {

using Ipv4 = std::uint32_t;  // 127.0.0.1 is 0x7f000001

inline constexpr unsigned kLoIndex = 1;  // of lo, in every network namespace
inline constexpr Ipv4 kLoopback = 0x7f00'0001;
inline constexpr Ipv4 kNamesNetwork = 0xc612'0000;  // 198.18.0.0
inline constexpr Ipv4 kNamesMask = 0xfffe'0000;     // /15
inline constexpr Ipv4 kHostAddress = 0xc612'0001;   // 198.18.0.1: host.docker.internal, and the name server
inline constexpr Ipv4 kOwnAddress = 0xc612'0002;    // 198.18.0.2: the guest's, beside those of its loopback
inline constexpr Ipv4 kFirstName = 0xc612'0100;     // 198.18.1.0: from here on, names
inline constexpr Ipv4 kLastName = 0xc613'fffe;      // 198.19.255.254

// Where init listens, on all addresses: the kernel redirects to these. Only root may take ports this low, so that no
// server of a user's is in the way.
inline constexpr std::uint16_t kCapturePort = 1021;
inline constexpr std::uint16_t kNamePort = 1022;

constexpr bool is_name_address(Ipv4 address) { return (address & kNamesMask) == kNamesNetwork; }

}  // namespace sbx::guest
