// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/filters.h"

namespace sbx::proxy {

std::string canonical_host(const RequestOrigin& origin) {
  const std::uint16_t usual = origin.encrypted ? policy::kHttpsPort : policy::kHttpPort;
  return origin.target.port == usual ? origin.target.host.text() : origin.target.text();
}

// SECURITY: what was checked is not what is sent on: the server reads our own words, which it cannot understand in
// another way.
Refusal set_canonical_host(const Question& question, http::RequestHead& head) {
  head.authority = canonical_host(question.origin);
  head.second_authority.reset();
  return std::nullopt;
}

}  // namespace sbx::proxy
