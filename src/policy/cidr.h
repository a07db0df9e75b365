// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/address.h"

namespace sbx::policy {

// A range of addresses of one family: 10.0.0.0/8, fc00::/7. ::/0 is all of IPv6 and nothing of IPv4.
class Cidr {
 public:
  // Refuses a range without a length and one with host bits set, and says which range may be meant.
  static Result<Cidr> parse(std::string_view text);
  // The range of that length around an address; `length` counts from the front of the 128 bits, at most 128.
  static Cidr around(const Address& address, unsigned length);

  bool contains(const Address& address) const;
  bool contains(const Cidr& other) const;
  unsigned length() const { return length_; }  // in 128 bits: that of 10.0.0.0/8 is 104
  std::string text() const;

  auto operator<=>(const Cidr&) const = default;

 private:
  Cidr(const Address& base, unsigned length) : base_(base), length_(length) {}

  Address base_;
  unsigned length_;
};

}  // namespace sbx::policy
