// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "http/fields.h"

// HTTP/1.1 message heads (RFC 9112): strict, bounded, no I/O. Used by the API server, by its clients, and by the shim,
// which answers on connections that the daemon has handed to it.
namespace sbx::http {

struct Request {
  std::string method;
  std::string path;  // decoded, without the query; begins with /
  // The same, split at / before decoding, so that a segment may hold any byte. Rendered in place of path, if any.
  std::vector<std::string> segments;
  std::vector<std::pair<std::string, std::string>> query;  // decoded
  Headers headers;
  std::string body;  // filled in by the reader of the stream

  std::optional<std::string_view> header(std::string_view name) const;
  std::optional<std::string> parameter(std::string_view name) const;
};

struct Response {
  int status = 200;
  Headers headers;
  std::string body;

  std::optional<std::string_view> header(std::string_view name) const;
};

// `head` is exactly one head of HTTP/1.1, with at most kMostHeaders; a request's target begins with /. Refused: what
// parse_headers refuses, and bad percent escapes.
Result<Request> parse_request_head(std::string_view head);
Result<Response> parse_response_head(std::string_view head);

// The head and, if there is one, the body with its Content-Length. A response without a body says Content-Length: 0,
// unless it has none by its status (1xx, 204) or lasts until the connection closes ("Connection: close").
std::string render(const Request& request);
std::string render(const Response& response);
std::string percent_encode(std::string_view text);  // all but letters, digits and -._~
std::string_view reason(int status);

}  // namespace sbx::http
