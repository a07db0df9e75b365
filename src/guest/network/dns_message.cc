// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/dns_message.h"

#include <algorithm>
#include <array>

#include "base/big_endian.h"
#include "base/text.h"

namespace sbx::guest::dns {
namespace {

constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kLongestLabel = 63;
constexpr std::size_t kLongestName = 253;
constexpr std::size_t kLongestWireName = 255;
constexpr std::uint16_t kIsAnswer = 0x8000;
constexpr std::uint16_t kOpcode = 0x7800;
constexpr std::uint16_t kRecursionDesired = 0x0100;
constexpr std::uint16_t kRecursionAvailable = 0x0080;
constexpr std::uint16_t kInternet = 1;
constexpr std::uint16_t kUdpSize = 1232;
constexpr std::uint32_t kTimeToLive = 30;  // seconds; a name keeps its address for much longer

std::uint16_t u16_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint16_t>(big_endian(bytes.substr(at, 2)));
}

void put_u16(std::string& out, unsigned value) { append_big_endian(out, value, 2); }
void put_u32(std::string& out, std::uint32_t value) { append_big_endian(out, value, 4); }

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool may_stand_in_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

struct WireName {
  std::string text;
  std::size_t size;  // on the wire
  bool valid;        // a name that a host may have
};

// A question comes first in its message, so that there is nothing that it could point back to.
std::optional<WireName> parse_name(std::string_view bytes) {
  WireName name{"", 0, true};
  for (;;) {
    if (name.size >= bytes.size()) return std::nullopt;
    const auto length = static_cast<unsigned char>(bytes[name.size]);
    ++name.size;
    if (length == 0) break;
    if (length > kLongestLabel || name.size + length >= std::min(bytes.size(), kLongestWireName)) return std::nullopt;
    if (!name.text.empty()) name.text += '.';
    for (const char c : bytes.substr(name.size, length)) {
      name.text += small(c);
      name.valid = name.valid && may_stand_in_name(small(c));
    }
    name.size += length;
  }
  return name;
}

// Only the OPT record that may follow the question is of interest, and only that it is there.
bool has_options(std::string_view rest) {
  return rest.size() >= 11 && rest[0] == '\0' && u16_at(rest, 1) == static_cast<std::uint16_t>(Type::kOpt);
}

void parse_question(std::string_view message, Query& query) {
  const std::string_view after = message.substr(kHeaderSize);
  const auto name = parse_name(after);
  if (!name || after.size() < name->size + 4) return;
  query.question = after.substr(0, name->size + 4);
  query.type = static_cast<Type>(u16_at(after, name->size));
  query.understood = query.understood && u16_at(after, name->size + 2) == kInternet;
  if (name->valid) query.name = name->text;
  query.well_formed = true;
  query.extended = u16_at(message, 10) > 0 && has_options(after.substr(name->size + 4));
}

}  // namespace

std::optional<Query> parse_query(std::string_view message) {
  if (message.size() < kHeaderSize) return std::nullopt;
  const std::uint16_t flags = u16_at(message, 2);
  if ((flags & kIsAnswer) != 0) return std::nullopt;
  Query query;
  query.id = u16_at(message, 0);
  query.recursion_desired = (flags & kRecursionDesired) != 0;
  query.understood = (flags & kOpcode) == 0;
  const std::uint16_t questions = u16_at(message, 4);
  if (questions == 1) parse_question(message, query);
  return query;
}

std::optional<std::string> encode_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return std::nullopt;
  std::string out;
  for (const std::string& label : split(name, '.')) {
    if (label.empty() || label.size() > kLongestLabel || !std::ranges::all_of(label, may_stand_in_name))
      return std::nullopt;
    out += static_cast<char>(label.size());
    out += label;
  }
  out += '\0';
  return out;
}

std::string answer(const Query& query, Rcode code, std::string_view data) {
  std::string out;
  put_u16(out, query.id);
  put_u16(out, kIsAnswer | kRecursionAvailable | (query.recursion_desired ? kRecursionDesired : 0u) |
                   static_cast<unsigned>(code));
  put_u16(out, query.question.empty() ? 0 : 1);
  put_u16(out, data.empty() ? 0 : 1);
  put_u16(out, 0);
  put_u16(out, query.extended ? 1 : 0);
  out += query.question;
  if (!data.empty()) {
    put_u16(out, 0xc000 | kHeaderSize);  // the name of the question
    put_u16(out, static_cast<std::uint16_t>(query.type));
    put_u16(out, kInternet);
    put_u32(out, kTimeToLive);
    put_u16(out, static_cast<unsigned>(data.size()));
    out += data;
  }
  if (query.extended) {
    out += '\0';
    put_u16(out, static_cast<std::uint16_t>(Type::kOpt));
    put_u16(out, kUdpSize);
    put_u32(out, 0);
    put_u16(out, 0);
  }
  return out;
}

std::string address_data(Ipv4 address) {
  std::string out;
  put_u32(out, address);
  return out;
}

std::optional<Ipv4> address_in_reverse_name(std::string_view name) {
  constexpr std::string_view kReverse = ".in-addr.arpa";
  if (!name.ends_with(kReverse)) return std::nullopt;
  const auto bytes = split(name.substr(0, name.size() - kReverse.size()), '.');
  if (bytes.size() != 4) return std::nullopt;
  Ipv4 address = 0;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {
    const auto value = parse_integer(*byte);
    if (!value || *value < 0 || *value > 255) return std::nullopt;
    address = address << 8 | static_cast<Ipv4>(*value);
  }
  return address;
}

}  // namespace sbx::guest::dns
