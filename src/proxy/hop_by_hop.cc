// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "http/raw.h"
#include "proxy/filters.h"

namespace sbx::proxy {
namespace {

constexpr std::array<std::string_view, 5> kHopByHop = {"Connection", "Keep-Alive", "TE", "Transfer-Encoding",
                                                       "Upgrade"};
constexpr std::string_view kProxys = "Proxy-";

bool is_among(std::string_view name, const auto& names) {
  return std::ranges::any_of(names, [name](std::string_view each) { return http::same_name(name, each); });
}

}  // namespace

void drop_hop_by_hop(http::Headers& fields) {
  const auto tokens = http::tokens_of(fields, "Connection");
  const std::vector<std::string> named(tokens.begin(), tokens.end());  // the fields that they are in go first
  std::erase_if(fields, [&named](const auto& field) {
    const std::string_view name = field.first;
    const bool is_proxys = http::same_name(name.substr(0, kProxys.size()), kProxys);
    return is_proxys || is_among(name, kHopByHop) || is_among(name, named);
  });
}

Refusal drop_hop_by_hop(const Question&, http::RequestHead& head) {
  drop_hop_by_hop(head.fields);
  return std::nullopt;
}

}  // namespace sbx::proxy
