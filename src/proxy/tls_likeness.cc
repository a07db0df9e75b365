// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/tls_likeness.h"

#include <algorithm>
#include <cstdint>

namespace sbx::proxy {
namespace {

struct Range {
  std::uint8_t first;
  std::uint8_t last;
};
constexpr Range just(std::uint8_t value) { return {value, value}; }
constexpr Range kAny{0, 255};

// What the first bytes of TLS are, each in its place.
struct Form {
  std::size_t size;
  Range bytes[6];
};

// A record is a type (alert 21, handshake 22), a version, a length of two bytes, and a message, whose first byte is 1
// in a ClientHello and in a warning. One of SSL 2 is a length with its first bit set, 1, and the version that it
// offers.
constexpr Form kForms[] = {
    {2, {{20, 24}, just(3)}},
    {6, {just(22), kAny, kAny, kAny, kAny, just(1)}},
    {5, {just(22), kAny, kAny, just(0), just(0)}},
    {6, {just(21), kAny, kAny, just(0), just(2), {1, 2}}},
    {4, {{128, 255}, kAny, just(1), just(3)}},
    {5, {{128, 255}, kAny, just(1), just(0), just(2)}},
};

Likeness likeness_to(const Form& form, std::string_view bytes) {
  const std::size_t known = std::min(form.size, bytes.size());
  for (std::size_t i = 0; i < known; ++i) {
    const auto byte = static_cast<std::uint8_t>(bytes[i]);
    if (byte < form.bytes[i].first || byte > form.bytes[i].last) return Likeness::kNo;
  }
  return known == form.size ? Likeness::kYes : Likeness::kUnclear;
}

}  // namespace

Likeness likeness_to_tls(std::string_view bytes) {
  Likeness most = Likeness::kNo;
  for (const Form& form : kForms) most = std::max(most, likeness_to(form, bytes));
  return most;
}

}  // namespace sbx::proxy
