// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/fields.h"

// Heads for a proxy: strict in the same way, but the target, the reason and the order of the fields
// are as they were sent, and HTTP/1.0 is understood.
namespace sbx::http {

struct RawRequest {
  std::string method;
  std::string target;
  bool is_1_0 = false;
  Headers headers;
};

struct RawResponse {
  int status = 0;
  std::string reason;
  bool is_1_0 = false;
  Headers headers;
};

Result<RawRequest> parse_raw_request(std::string_view head);
Result<RawResponse> parse_raw_response(std::string_view head);

// The parts of a list field such as Connection, and whether it has this one.
std::vector<std::string_view> tokens_of(const Headers& headers, std::string_view name);
bool has_token(const Headers& headers, std::string_view name, std::string_view token);

}  // namespace sbx::http
