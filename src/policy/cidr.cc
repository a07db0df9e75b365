// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/cidr.h"

#include <algorithm>

#include "base/format.h"
#include "base/text.h"

namespace sbx::policy {
namespace {

constexpr unsigned kAddressBits = 128;
constexpr unsigned kV4Offset = 96;  // where an IPv4 address begins in its mapped form

Failure bad_cidr(std::string_view text, std::string_view why) {
  return fail(Code::kInvalid, sbx::format("bad address range \"{}\": {}", printable(text), why));
}

// The first `length` bits of the address, the others zero.
Address masked(const Address& address, unsigned length) {
  Address::Bytes bytes = address.bytes();
  for (unsigned i = 0; i < bytes.size(); ++i) {
    const unsigned kept = length > i * 8 ? std::min(length - i * 8, 8U) : 0;
    bytes[i] = static_cast<std::uint8_t>(bytes[i] & (0xff00U >> kept));
  }
  return Address(bytes);
}

std::string text_of(const Address& base, unsigned length) {
  return sbx::format("{}/{}", base.text(), base.is_v4() ? length - kV4Offset : length);
}

// The number after the slash, without sign and leading zeros.
std::optional<unsigned> parse_length(std::string_view digits, unsigned most) {
  const bool plain = !digits.empty() && digits.size() <= 3 && digits.front() >= '0' && digits.front() <= '9';
  if (!plain || (digits.front() == '0' && digits.size() > 1)) return std::nullopt;
  const auto value = parse_integer(digits);
  if (!value || *value > most) return std::nullopt;
  return static_cast<unsigned>(*value);
}

}  // namespace

Cidr Cidr::around(const Address& address, unsigned length) { return {masked(address, length), length}; }

Result<Cidr> Cidr::parse(std::string_view text) {
  const auto slash = text.find('/');
  const std::string_view host = text.substr(0, slash);
  const auto address = Address::parse(host);
  if (!address) return bad_cidr(text, "write an address and a length, such as 10.0.0.0/8 or fc00::/7");
  const unsigned offset = host.find(':') == std::string_view::npos ? kV4Offset : 0;
  if (slash == std::string_view::npos)
    return bad_cidr(text, sbx::format("it has no length: write {}", text_of(*address, kAddressBits)));
  const auto digits = parse_length(text.substr(slash + 1), kAddressBits - offset);
  if (!digits) return bad_cidr(text, sbx::format("its length is not a number up to {}", kAddressBits - offset));
  const unsigned length = *digits + offset;
  const Address base = masked(*address, length);
  if (base == *address) return Cidr(base, length);
  return bad_cidr(text, sbx::format("it has bits set after the first {}: write {} or {}", *digits,
                                    text_of(base, length), text_of(*address, kAddressBits)));
}

bool Cidr::contains(const Address& address) const {
  return address.is_v4() == base_.is_v4() && masked(address, length_) == base_;
}

bool Cidr::contains(const Cidr& other) const { return other.length_ >= length_ && contains(other.base_); }

std::string Cidr::text() const { return text_of(base_, length_); }

}  // namespace sbx::policy
