// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "http/fields.h"

// Heads for whoever passes messages on: strict in the same way, but the target, the reason and the order of the fields
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
std::string render(const RawRequest& request);    // as HTTP/1.1
std::string render(const RawResponse& response);  // as HTTP/1.1

// Whether a list field such as Connection has this token.
bool has_token(const Headers& headers, std::string_view name, std::string_view token);

// Without the fields that are for the next hop only (RFC 9110, 7.6.1): Connection and what it names, Keep-Alive, TE,
// Transfer-Encoding, Upgrade, and all that begin with Proxy-. Fields that say where a message ends or goes are kept
// even if Connection names them.
Headers end_to_end(const Headers& headers);

}  // namespace sbx::http
