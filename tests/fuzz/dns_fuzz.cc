// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "guest/network/dns_message.h"

// What a program of the guest's sends to init's name server.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx::guest;
  const auto query = dns::parse_query({reinterpret_cast<const char*>(data), size});
  if (!query) return 0;
  if (!query->well_formed && !query->question.empty()) std::abort();
  if (!query->name.empty() && query->well_formed && query->name.size() <= 253 && !dns::encode_name(query->name))
    std::abort();
  (void)dns::address_in_reverse_name(query->name);
  const std::string reply = dns::answer(*query, dns::Rcode::kNoError, dns::address_data(kHostAddress));
  if (reply.size() > 600) std::abort();
  if (dns::parse_query(reply)) std::abort();  // two name servers would talk for ever
  // The question survives being asked again.
  if (!query->question.empty()) {
    std::string again(reinterpret_cast<const char*>(data), 12);
    const auto second = dns::parse_query(again + query->question);
    if (!second || second->name != query->name || second->type != query->type) std::abort();
  }
  return 0;
}
