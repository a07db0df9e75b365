// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/embedded.h"

#include <algorithm>
#include <string_view>

namespace sbx::policy {
namespace {

using namespace std::string_view_literals;

struct Form {
  std::size_t from;                    // where the mark of the form begins
  std::string_view mark;               // the bytes that are there
  std::array<std::uint8_t, 4> digits;  // where the bytes of the IPv4 address are
  std::uint8_t mask = 0;               // what they are xored with
};

constexpr std::array<std::uint8_t, 4> kLast{12, 13, 14, 15};

constexpr Form kForms[] = {
    {0, "\0\0\0\0\0\0\0\0\0\0\0\0"sv, kLast},        // IPv4-compatible; ::, which Linux takes for this host
    {0, "\0\0\0\0\0\0\0\0\xff\xff\0\0"sv, kLast},    // IPv4-translated, RFC 2765
    {0, "\0\x64\xff\x9b\0\0\0\0\0\0\0\0"sv, kLast},  // NAT64, RFC 6052
    {0, "\0\x64\xff\x9b\0\1"sv, kLast},              // NAT64 for local use, RFC 8215: as a /96
    {0, "\0\x64\xff\x9b\0\1"sv, {9, 10, 11, 12}},    //   as a /64, around the u octet
    {0, "\0\x64\xff\x9b\0\1"sv, {7, 9, 10, 11}},     //   as a /56
    {0, "\0\x64\xff\x9b\0\1"sv, {6, 7, 9, 10}},      //   as a /48
    {0, "\x20\x02"sv, {2, 3, 4, 5}},                 // 6to4, RFC 3056
    {0, "\x20\x01\0\0"sv, {4, 5, 6, 7}},             // Teredo, RFC 4380: the server
    {0, "\x20\x01\0\0"sv, {12, 13, 14, 15}, 0xff},   //   the client
    {8, "\0\0\x5e\xfe"sv, kLast},                    // ISATAP, RFC 5214, for private addresses
    {8, "\2\0\x5e\xfe"sv, kLast},                    //   and for public ones
};

bool has_form(const Address::Bytes& bytes, const Form& form) {
  return std::equal(form.mark.begin(), form.mark.end(), bytes.begin() + static_cast<std::ptrdiff_t>(form.from),
                    [](char mark, std::uint8_t byte) { return static_cast<std::uint8_t>(mark) == byte; });
}

Address inside(const Address::Bytes& bytes, const Form& form) {
  std::array<std::uint8_t, 4> four{};
  std::ranges::transform(form.digits, four.begin(),
                         [&](std::uint8_t at) { return static_cast<std::uint8_t>(bytes[at] ^ form.mask); });
  return Address::v4(four);
}

}  // namespace

std::vector<Address> embedded_ipv4(const Address& address) {
  std::vector<Address> found;
  if (address.is_v4()) return found;
  for (const Form& form : kForms)
    if (has_form(address.bytes(), form)) found.push_back(inside(address.bytes(), form));
  return found;
}

}  // namespace sbx::policy
