// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "guest/network/addresses.h"

// Messages of the domain name system (RFC 1035, RFC 6891), as much of them as a name server needs that has one answer
// to a question at most. Pure.
namespace sbx::guest::dns {

inline constexpr std::size_t kLargestMessage = 65'535;

enum class Rcode : std::uint8_t { kNoError = 0, kFormatError = 1, kNoSuchName = 3, kNotImplemented = 4 };
enum class Type : std::uint16_t { kA = 1, kPtr = 12, kAaaa = 28, kOpt = 41 };

struct Query {
  std::uint16_t id = 0;
  bool recursion_desired = false;
  bool extended = false;  // it had an OPT record, and so must the answer
  std::string question;   // its bytes, to be repeated: clients compare them letter by letter
  std::string name;       // in small letters, without the last dot; empty for the root, and for one that no host has
  Type type{};
  bool well_formed = false;  // else the answer is a format error
  bool understood = false;   // an ordinary query in the class IN; else the answer is "not implemented"
};

// Nothing if it is not to be answered: too short, or itself an answer.
std::optional<Query> parse_query(std::string_view message);

// A name of letters, digits, hyphens and underscores in labels of 1 to 63 bytes, 253 in all. Else nothing.
std::optional<std::string> encode_name(std::string_view name);

// data: that of one record of the type asked for; empty for none.
std::string answer(const Query& query, Rcode code, std::string_view data = {});
std::string address_data(Ipv4 address);

// 198.18.1.5 for "5.1.18.198.in-addr.arpa".
std::optional<Ipv4> address_in_reverse_name(std::string_view name);

}  // namespace sbx::guest::dns
