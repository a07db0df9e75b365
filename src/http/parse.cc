// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.h"
#include "http/fields.h"
#include "http/message.h"

namespace sbx::http {
namespace {

constexpr std::string_view kHttp11 = "HTTP/1.1";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Control characters are refused after decoding too: no path and no parameter of ours has a use for them.
Result<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '+' && plus_is_space) c = ' ';
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return refuse("bad percent escape");
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (is_control(c)) return refuse("control character in the target");
    out += c;
  }
  return out;
}

Result<> parse_path(std::string_view path, Request& request) {
  TRY_ASSIGN(request.path, percent_decode(path, /*plus_is_space=*/false));
  for (const auto& raw : split(path.substr(1), '/')) {
    TRY_ASSIGN(auto segment, percent_decode(raw, /*plus_is_space=*/false));
    request.segments.push_back(std::move(segment));
  }
  return Ok{};
}

Result<> parse_query(std::string_view query, Request& request) {
  if (query.empty()) return Ok{};
  for (const auto& part : split(query, '&')) {
    const auto equals = part.find('=');
    TRY_ASSIGN(auto key, percent_decode(std::string_view(part).substr(0, equals), /*plus_is_space=*/true));
    std::string value;
    if (equals != std::string::npos) {
      TRY_ASSIGN(value, percent_decode(std::string_view(part).substr(equals + 1), /*plus_is_space=*/true));
    }
    request.query.emplace_back(std::move(key), std::move(value));
  }
  return Ok{};
}

Result<> parse_target(std::string_view target, Request& request) {
  const bool plain = std::ranges::all_of(target, [](char c) { return c > 0x20 && c < 0x7f && c != '#'; });
  if (!target.starts_with('/') || !plain) return refuse("bad target");
  const auto question = target.find('?');
  TRY(parse_path(target.substr(0, question), request));
  if (question != std::string_view::npos) TRY(parse_query(target.substr(question + 1), request));
  return Ok{};
}

Result<> parse_request_line(std::string_view line, Request& request) {
  const auto parts = split(line, ' ');
  if (parts.size() != 3 || !is_token(parts[0])) return refuse("bad request line");
  if (parts[2] != kHttp11) return refuse("only HTTP/1.1 is spoken here");
  request.method = parts[0];
  return parse_target(parts[1], request);
}

}  // namespace

Result<Request> parse_request_head(std::string_view head) {
  TRY_ASSIGN(const auto lines, lines_of(head));
  Request request;
  TRY(parse_request_line(lines.front(), request));
  TRY_ASSIGN(request.headers, parse_headers(lines));
  return request;
}

Result<Response> parse_response_head(std::string_view head) {
  TRY_ASSIGN(const auto lines, lines_of(head));
  const std::string_view line = lines.front();
  constexpr std::size_t kStatusAt = kHttp11.size() + 1;
  const auto status = parse_integer(line.substr(std::min(kStatusAt, line.size()), 3));
  const bool well_formed = line.starts_with("HTTP/1.1 ") && status && *status >= 100 && *status <= 599 &&
                           (line.size() == kStatusAt + 3 || line[kStatusAt + 3] == ' ');
  if (!well_formed || std::ranges::any_of(line, is_control)) return refuse("bad status line");
  Response response;
  response.status = static_cast<int>(*status);
  TRY_ASSIGN(response.headers, parse_headers(lines));
  return response;
}

}  // namespace sbx::http
