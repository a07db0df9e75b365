// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/request_key.h"

#include <algorithm>

namespace sbx::api {

Result<wire::RequestKey> request_key(const http::Request& request) {
  const auto is_key = [](const auto& header) { return http::same_name(header.first, wire::RequestKey::kHeader); };
  const auto given = std::ranges::find_if(request.headers, is_key);
  if (given == request.headers.end()) return wire::RequestKey::random();
  if (std::find_if(given + 1, request.headers.end(), is_key) != request.headers.end())
    return fail(Code::kInvalid, std::string(wire::RequestKey::kHeader) + " is there twice");
  return wire::RequestKey::parse(given->second);
}

}  // namespace sbx::api
