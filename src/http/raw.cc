// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "http/raw.h"

#include <algorithm>

#include "base/text.h"

namespace sbx::http {
namespace {

constexpr std::string_view kHttp1 = "HTTP/1.";

// 0 or 1; other versions have another syntax.
Result<bool> parse_version(std::string_view text) {
  if (text.size() != kHttp1.size() + 1 || !text.starts_with(kHttp1) || (text.back() != '0' && text.back() != '1'))
    return refuse("not HTTP/1.0 or HTTP/1.1");
  return text.back() == '0';
}

}  // namespace

Result<RawRequest> parse_raw_request(std::string_view head) {
  TRY_ASSIGN(const auto lines, lines_of(head));
  const std::string_view line = lines.front();
  const auto first = line.find(' ');
  const auto second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return refuse("bad request line");
  RawRequest request{
      std::string(line.substr(0, first)), std::string(line.substr(first + 1, second - first - 1)), {}, {}};
  TRY_ASSIGN(request.is_1_0, parse_version(line.substr(second + 1)));
  const bool plain = std::ranges::all_of(request.target, [](char c) { return c > 0x20 && c < 0x7f; });
  if (!is_token(request.method) || request.target.empty() || !plain) return refuse("bad request line");
  TRY_ASSIGN(request.headers, parse_headers(lines));
  if (request.is_1_0 && find(request.headers, "Transfer-Encoding")) return refuse("Transfer-Encoding in HTTP/1.0");
  return request;
}

Result<RawResponse> parse_raw_response(std::string_view head) {
  TRY_ASSIGN(const auto lines, lines_of(head));
  const std::string_view line = lines.front();
  constexpr std::size_t kStatusAt = kHttp1.size() + 2;
  if (line.size() < kStatusAt + 3 || line[kStatusAt - 1] != ' ') return refuse("bad status line");
  RawResponse response;
  TRY_ASSIGN(response.is_1_0, parse_version(line.substr(0, kStatusAt - 1)));
  const auto status = parse_integer(line.substr(kStatusAt, 3));
  const std::string_view rest = line.substr(kStatusAt + 3);
  if (!status || *status < 100 || *status > 999 || (!rest.empty() && rest.front() != ' ') ||
      std::ranges::any_of(rest, is_control))
    return refuse("bad status line");
  response.status = static_cast<int>(*status);
  response.reason = trimmed(rest);
  TRY_ASSIGN(response.headers, parse_headers(lines));
  return response;
}

std::vector<std::string_view> tokens_of(const Headers& headers, std::string_view name) {
  std::vector<std::string_view> tokens;
  for (const auto& [key, value] : headers) {
    if (!same_name(key, name)) continue;
    for (std::string_view rest = value; !rest.empty();) tokens.push_back(trimmed(cut_off(rest, ',')));
  }
  return tokens;
}

bool has_token(const Headers& headers, std::string_view name, std::string_view token) {
  return std::ranges::any_of(tokens_of(headers, name),
                             [token](std::string_view each) { return same_name(each, token); });
}

}  // namespace sbx::http
