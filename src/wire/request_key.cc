// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/request_key.h"

#include <algorithm>

#include "base/random.h"

namespace sbx::wire {
namespace {

constexpr std::size_t kRandomBytes = 16;

bool is_allowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

}  // namespace

RequestKey RequestKey::random() { return RequestKey(random_hex(kRandomBytes)); }

Result<RequestKey> RequestKey::parse(std::string_view text) {
  if (text.empty() || text.size() > kLongest || !std::ranges::all_of(text, is_allowed))
    return fail(Code::kInvalid, std::string(kHeader) + ": it must be 1 to 64 letters, digits, - and _");
  return RequestKey(std::string(text));
}

}  // namespace sbx::wire
