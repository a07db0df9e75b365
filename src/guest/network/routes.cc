// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/routes.h"

#include <arpa/inet.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <utility>

#include "base/file.h"
#include "guest/network/addresses.h"

namespace sbx::guest {
namespace {

constexpr std::uint8_t kRoutingTable = 100;
constexpr std::uint32_t kAfterMain = 33'000;  // the main table's rule is 32,766
constexpr std::uint32_t kLast = kAfterMain + 256;
constexpr std::uint16_t kCreate = NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK;

void address_attribute(NetlinkWriter& out, std::uint16_t type, Ipv4 address) { out.network_u32(type, address); }

struct Ports {
  std::uint16_t first;
  std::uint16_t last;
};

// iif lo: packets of the guest's own programs, and not what it forwards.
void begin_rule(NetlinkWriter& out, int family, fib_rule_hdr rule, std::uint32_t priority) {
  rule.family = static_cast<std::uint8_t>(family);
  out.message(RTM_NEWRULE, kCreate);
  out.fixed(rule);
  out.u32(FRA_PRIORITY, priority);
  out.text(FRA_IIFNAME, "lo");
}

void add_rule(NetlinkWriter& out, int family, std::uint8_t protocol, Ports ports) {
  fib_rule_hdr rule{};
  rule.table = kRoutingTable;
  rule.action = FR_ACT_TO_TBL;
  begin_rule(out, family, rule, kAfterMain + protocol);
  out.attribute(FRA_IP_PROTO, {reinterpret_cast<const char*>(&protocol), 1});
  const fib_rule_port_range range{ports.first, ports.last};
  if (ports.last != 0) out.attribute(FRA_DPORT_RANGE, {reinterpret_cast<const char*>(&range), sizeof range});
}

// For what the guest would have to forward: `not iif lo prohibit`. Of all that a router can answer, "administratively
// prohibited" is what programs hear of at once; that there is no route they take for something that may pass.
void add_refusal(NetlinkWriter& out, int family) {
  fib_rule_hdr rule{};
  rule.action = FR_ACT_PROHIBIT;
  rule.flags = FIB_RULE_INVERT;
  begin_rule(out, family, rule, kLast);
}

// Of IPv4 the route is a local one, so that packets have a valid source. IPv6 has no such scruples, and there the
// redirecting rules would take everything for an address of our own.
void add_default_route(NetlinkWriter& out, int family) {
  out.message(RTM_NEWROUTE, kCreate);
  rtmsg route{};
  route.rtm_family = static_cast<std::uint8_t>(family);
  route.rtm_table = kRoutingTable;
  route.rtm_protocol = RTPROT_STATIC;
  route.rtm_scope = family == AF_INET ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE;
  route.rtm_type = family == AF_INET ? RTN_LOCAL : RTN_UNICAST;
  out.fixed(route);
  out.u32(RTA_OIF, kLoIndex);
  if (family == AF_INET) address_attribute(out, RTA_PREFSRC, kOwnAddress);
}

// A kernel that does not forward does not say, either, that it does not; and one that does says so seldom. Forwarding
// is for devices to come only, and not by ip_forward, by which dockerd would take the guest for a router whose rules it
// must not touch. In a container /proc/sys is read only: the runtime has set the first two (backends/oci/bundle.cc),
// and the third is the host's.
constexpr std::pair<const char*, const char*> kSettings[] = {
    {"/proc/sys/net/ipv4/conf/default/forwarding", "1"},
    {"/proc/sys/net/ipv4/icmp_ratelimit", "0"},
    {"/proc/sys/net/ipv4/route/error_cost", "0"},
};

void answer_nested_networks() {
  for (const auto& [path, value] : kSettings) (void)write_file(path, value);
}

}  // namespace

NetlinkWriter loopback_messages() {
  NetlinkWriter out;
  out.message(RTM_NEWLINK, NLM_F_ACK);
  ifinfomsg link{};
  link.ifi_index = kLoIndex;
  link.ifi_flags = IFF_UP;
  link.ifi_change = IFF_UP;
  out.fixed(link);
  out.message(RTM_NEWADDR, kCreate);
  ifaddrmsg address{};
  address.ifa_family = AF_INET;
  address.ifa_prefixlen = 32;
  address.ifa_index = kLoIndex;
  out.fixed(address);
  address_attribute(out, IFA_LOCAL, kOwnAddress);
  address_attribute(out, IFA_ADDRESS, kOwnAddress);
  return out;
}

NetlinkWriter route_messages(int family) {
  NetlinkWriter out;
  add_rule(out, family, IPPROTO_TCP, {0, 0});
  add_rule(out, family, IPPROTO_UDP, {53, 53});
  add_refusal(out, family);
  add_default_route(out, family);
  return out;
}

Result<> set_up_routes() {
  answer_nested_networks();
  TRY_WITHIN("bring up lo", netlink(NETLINK_ROUTE, loopback_messages()));
  TRY_WITHIN("route IPv4 to lo", netlink(NETLINK_ROUTE, route_messages(AF_INET)));
  if (!exists("/proc/net/if_inet6")) return Ok{};  // a kernel without IPv6 has nothing to route
  TRY_WITHIN("route IPv6 to lo", netlink(NETLINK_ROUTE, route_messages(AF_INET6)));
  return Ok{};
}

}  // namespace sbx::guest
