// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/redirect.h"

#include <arpa/inet.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_nat.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>

#include <functional>
#include <string>

#include "guest/network/addresses.h"

namespace sbx::guest {
namespace {

constexpr const char* kNftTable = "sandbox";
constexpr const char* kCapture = "capture";
constexpr std::int32_t kBeforeFilters = -100;  // where destination NAT belongs (NF_IP_PRI_NAT_DST)
constexpr std::uint32_t kRegister = NFT_REG_1;

template <class T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

class Rules {
 public:
  Rules() { batch(NFNL_MSG_BATCH_BEGIN); }

  void add_table() {
    begin_object(NFT_MSG_NEWTABLE, NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK);
    out_.text(NFTA_TABLE_NAME, kNftTable);
  }

  void add_chain(const char* name) {
    begin_object(NFT_MSG_NEWCHAIN, NLM_F_CREATE | NLM_F_ACK);
    out_.text(NFTA_CHAIN_TABLE, kNftTable);
    out_.text(NFTA_CHAIN_NAME, name);
  }

  void add_chain(const char* name, std::uint32_t hook) {
    add_chain(name);
    const std::size_t nest = out_.begin(NFTA_CHAIN_HOOK);
    out_.network_u32(NFTA_HOOK_HOOKNUM, hook);
    out_.network_u32(NFTA_HOOK_PRIORITY, static_cast<std::uint32_t>(kBeforeFilters));
    out_.end(nest);
    out_.text(NFTA_CHAIN_TYPE, "nat");
  }

  void add_rule(const char* chain, const std::function<void(Rules&)>& expressions) {
    begin_object(NFT_MSG_NEWRULE, NLM_F_CREATE | NLM_F_APPEND | NLM_F_ACK);
    out_.text(NFTA_RULE_TABLE, kNftTable);
    out_.text(NFTA_RULE_CHAIN, chain);
    const std::size_t nest = out_.begin(NFTA_RULE_EXPRESSIONS);
    expressions(*this);
    out_.end(nest);
  }

  void meta(std::uint32_t key) {
    expression("meta", [&] {
      out_.network_u32(NFTA_META_KEY, key);
      out_.network_u32(NFTA_META_DREG, kRegister);
    });
  }
  void fib(std::uint32_t result) {
    expression("fib", [&] {
      out_.network_u32(NFTA_FIB_DREG, kRegister);
      out_.network_u32(NFTA_FIB_RESULT, result);
      out_.network_u32(NFTA_FIB_FLAGS, NFTA_FIB_F_DADDR);
    });
  }
  void destination_port() {
    expression("payload", [&] {
      out_.network_u32(NFTA_PAYLOAD_DREG, kRegister);
      out_.network_u32(NFTA_PAYLOAD_BASE, NFT_PAYLOAD_TRANSPORT_HEADER);
      out_.network_u32(NFTA_PAYLOAD_OFFSET, 2);
      out_.network_u32(NFTA_PAYLOAD_LEN, 2);
    });
  }
  void compare(std::uint32_t how, const std::string& with) {
    expression("cmp", [&] {
      out_.network_u32(NFTA_CMP_SREG, kRegister);
      out_.network_u32(NFTA_CMP_OP, how);
      value(NFTA_CMP_DATA, with);
    });
  }
  void verdict(std::int32_t code, const char* chain = nullptr) {
    expression("immediate", [&] {
      out_.network_u32(NFTA_IMMEDIATE_DREG, NFT_REG_VERDICT);
      const std::size_t data = out_.begin(NFTA_IMMEDIATE_DATA);
      const std::size_t nest = out_.begin(NFTA_DATA_VERDICT);
      out_.network_u32(NFTA_VERDICT_CODE, static_cast<std::uint32_t>(code));
      if (chain != nullptr) out_.text(NFTA_VERDICT_CHAIN, chain);
      out_.end(nest);
      out_.end(data);
    });
  }
  void redirect(std::uint16_t port) {
    expression("immediate", [&] {
      out_.network_u32(NFTA_IMMEDIATE_DREG, kRegister);
      value(NFTA_IMMEDIATE_DATA, bytes_of(htons(port)));
    });
    expression("redir", [&] {
      out_.network_u32(NFTA_REDIR_REG_PROTO_MIN, kRegister);
      out_.network_u32(NFTA_REDIR_FLAGS, NF_NAT_RANGE_PROTO_SPECIFIED);
    });
  }

  NetlinkWriter finish() && {
    batch(NFNL_MSG_BATCH_END);
    return std::move(out_);
  }

 private:
  void batch(std::uint16_t type) {
    out_.message(type, 0);
    out_.fixed(nfgenmsg{AF_UNSPEC, NFNETLINK_V0, htons(NFNL_SUBSYS_NFTABLES)});
  }
  void begin_object(std::uint16_t type, int flags) {
    out_.message(static_cast<std::uint16_t>(NFNL_SUBSYS_NFTABLES << 8 | type), static_cast<std::uint16_t>(flags));
    out_.fixed(nfgenmsg{NFPROTO_INET, NFNETLINK_V0, 0});
  }
  void expression(const char* name, const std::function<void()>& data) {
    const std::size_t element = out_.begin(NFTA_LIST_ELEM);
    out_.text(NFTA_EXPR_NAME, name);
    const std::size_t nest = out_.begin(NFTA_EXPR_DATA);
    data();
    out_.end(nest);
    out_.end(element);
  }
  void value(std::uint16_t type, const std::string& bytes) {
    const std::size_t nest = out_.begin(type);
    out_.attribute(NFTA_DATA_VALUE, bytes);
    out_.end(nest);
  }

  NetlinkWriter out_;
};

void accept_own_addresses(Rules& rules) {
  rules.fib(NFT_FIB_RESULT_ADDRTYPE);
  rules.compare(NFT_CMP_EQ, bytes_of(std::uint32_t{RTN_LOCAL}));
  rules.verdict(NF_ACCEPT);
}

void match_protocol(Rules& rules, std::uint8_t protocol) {
  rules.meta(NFT_META_L4PROTO);
  rules.compare(NFT_CMP_EQ, bytes_of(protocol));
}

void add_output(Rules& rules) {
  rules.add_chain("output", NF_INET_LOCAL_OUT);
  rules.add_rule("output", [](Rules& rule) {
    rule.meta(NFT_META_OIF);
    rule.compare(NFT_CMP_NEQ, bytes_of(kLoIndex));
    rule.verdict(NF_ACCEPT);
  });
  rules.add_rule("output", accept_own_addresses);
  rules.add_rule("output", [](Rules& rule) { rule.verdict(NFT_GOTO, kCapture); });
}

// What the guest knows a way to is a nested network of its own: none (0) and lo are the ways out.
void add_prerouting(Rules& rules) {
  rules.add_chain("prerouting", NF_INET_PRE_ROUTING);
  rules.add_rule("prerouting", accept_own_addresses);
  for (const std::uint32_t way : {0u, kLoIndex})
    rules.add_rule("prerouting", [way](Rules& rule) {
      rule.fib(NFT_FIB_RESULT_OIF);
      rule.compare(NFT_CMP_EQ, bytes_of(way));
      rule.verdict(NFT_GOTO, kCapture);
    });
}

void add_capture(Rules& rules) {
  rules.add_chain(kCapture);
  for (const std::uint8_t protocol : {IPPROTO_UDP, IPPROTO_TCP})
    rules.add_rule(kCapture, [protocol](Rules& rule) {
      match_protocol(rule, protocol);
      rule.destination_port();
      rule.compare(NFT_CMP_EQ, bytes_of(htons(53)));
      rule.redirect(kNamePort);
    });
  rules.add_rule(kCapture, [](Rules& rule) {
    match_protocol(rule, IPPROTO_TCP);
    rule.redirect(kCapturePort);
  });
}

}  // namespace

NetlinkWriter redirect_messages() {
  Rules rules;
  rules.add_table();
  add_capture(rules);  // first, because the others jump to it
  add_output(rules);
  add_prerouting(rules);
  return std::move(rules).finish();
}

Result<> set_up_redirect() {
  TRY_WITHIN("redirect connections (nf_tables)", netlink(NETLINK_NETFILTER, redirect_messages()));
  return Ok{};
}

}  // namespace sbx::guest
