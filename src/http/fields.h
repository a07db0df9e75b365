// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

// What all heads of HTTP/1.1 have in common (RFC 9112): lines, fields, and how long the body is.
namespace sbx::http {

inline constexpr std::size_t kLargestHead = 32u << 10;
inline constexpr std::size_t kMostHeaders = 100;

using Headers = std::vector<std::pair<std::string, std::string>>;  // names as sent; compared without case

bool same_name(std::string_view a, std::string_view b);
std::optional<std::string_view> find(const Headers& headers, std::string_view name);
bool is_token(std::string_view text);
bool is_control(char c);
Failure refuse(std::string why);  // kInvalid, "HTTP head: ..."

// The length of the head including its blank line, once it is there. Fails when it cannot be there any more: too long,
// or a line that does not end in CRLF.
Result<std::optional<std::size_t>> head_length(std::string_view bytes);

// The lines of exactly one head, without their CRLF and without the blank one at the end.
Result<std::vector<std::string_view>> lines_of(std::string_view head);

// All but the first line. Refused: bare CR or LF, obs-fold, space before a colon, control characters, more than one
// Content-Length, Host or Transfer-Encoding, Content-Length together with Transfer-Encoding.
Result<Headers> parse_headers(const std::vector<std::string_view>& lines);

// How long the body is; nullopt: not stated. Transfer-Encoding other than chunked is refused.
struct BodyLength {
  std::optional<std::size_t> bytes;
  bool chunked = false;
};
Result<BodyLength> body_length(const Headers& headers);

}  // namespace sbx::http
