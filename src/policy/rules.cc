// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/rules.h"

#include <span>

namespace sbx::policy {
namespace {

constexpr std::string_view kDefaultRanges[] = {
    "10.0.0.0/8",     "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.168.0.0/16", "::1/128",     "fc00::/7",       "fe80::/10",
};

constexpr std::string_view kReservedRanges[] = {
    "0.0.0.0/8",         // this host; 0.0.0.0 is its loopback
    "100.64.0.0/10",     // carriers' own; a cloud's metadata
    "168.63.129.16/32",  // a cloud's metadata, on a public address
    "192.0.0.0/24",      // IETF protocols; a cloud's metadata
    "198.18.0.0/15",     // what the guest's name server answers with: a name that it has forgotten
    "224.0.0.0/4",       // multicast
    "240.0.0.0/4",       // never assigned, used inside networks; broadcast
    "64:ff9b:1::/48",    // local NAT64, wherever it leads
    "fec0::/10",         // site-local, of old
    "ff00::/8",          // multicast
};

std::vector<Cidr> parsed(std::span<const std::string_view> texts) {
  std::vector<Cidr> ranges;
  for (const std::string_view text : texts) ranges.push_back(*Cidr::parse(text));
  return ranges;
}

}  // namespace

Rules default_rules() {
  Rules rules;
  rules.otherwise = Mark::kAllow;
  rules.blocked_ranges = parsed(kDefaultRanges);
  return rules;
}

const std::vector<Cidr>& reserved_ranges() {
  static const std::vector<Cidr> ranges = parsed(kReservedRanges);
  return ranges;
}

}  // namespace sbx::policy
