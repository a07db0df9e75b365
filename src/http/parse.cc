// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <strings.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "http/message.h"

namespace sbx::http {
namespace {

constexpr std::string_view kVersion = "HTTP/1.1";
constexpr std::string_view kPunctuation = "!#$%&'*+-.^_`|~";  // of a token

Failure refuse(std::string why) { return fail(Code::kInvalid, "HTTP head: " + std::move(why)); }

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPunctuation.find(c) != std::string_view::npos;
  });
}

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

// The lines of one head, without their CRLF and without the blank one at the end.
Result<std::vector<std::string_view>> lines_of(std::string_view head) {
  if (head.size() > kLargestHead) return fail(Code::kTooLarge, "HTTP head: longer than 32 KiB");
  std::vector<std::string_view> lines;
  while (!head.empty()) {
    const auto end = head.find_first_of("\r\n");
    if (end == std::string_view::npos || head.substr(end, 2) != "\r\n") return refuse("a line does not end in CRLF");
    lines.push_back(head.substr(0, end));
    head.remove_prefix(end + 2);
    if (lines.back().empty() && !head.empty()) return refuse("bytes after the blank line");
  }
  if (lines.size() < 2 || !lines.back().empty()) return refuse("it is not complete");
  lines.pop_back();
  if (lines.size() - 1 > kMostHeaders) return fail(Code::kTooLarge, "HTTP head: more than 100 header lines");
  return lines;
}

Result<std::pair<std::string, std::string>> parse_header(std::string_view line) {
  if (line.front() == ' ' || line.front() == '\t') return refuse("folded header line");
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return refuse("bad header name");
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (std::ranges::any_of(value, [](char c) { return is_control(c) && c != '\t'; }))
    return refuse("control character in a header");
  return std::pair(std::string(line.substr(0, colon)), std::string(value));
}

// Two of these, or both lengths, and two readers of the same bytes may disagree where the message ends.
Result<> check_once(const Headers& headers) {
  const auto count = [&headers](std::string_view name) {
    return std::ranges::count_if(headers, [name](const auto& header) { return same_name(header.first, name); });
  };
  for (const std::string_view name : {"Content-Length", "Host", "Transfer-Encoding"})
    if (count(name) > 1) return refuse(std::string(name) + " is there twice");
  if (count("Content-Length") + count("Transfer-Encoding") > 1)
    return refuse("Content-Length together with Transfer-Encoding");
  return Ok{};
}

Result<Headers> parse_headers(const std::vector<std::string_view>& lines) {
  Headers headers;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    TRY_ASSIGN(auto header, parse_header(lines[i]));
    headers.push_back(std::move(header));
  }
  TRY(check_once(headers));
  TRY(body_length(headers));
  return headers;
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
  if (parts[2] != kVersion) return refuse("only HTTP/1.1 is spoken here");
  request.method = parts[0];
  return parse_target(parts[1], request);
}

}  // namespace

Result<std::optional<std::size_t>> head_length(std::string_view bytes) {
  const std::string_view window = bytes.substr(0, kLargestHead);
  std::size_t line = 0;
  for (auto end = window.find('\n'); end != std::string_view::npos; end = window.find('\n', line)) {
    if (end == 0 || window[end - 1] != '\r') return refuse("a line does not end in CRLF");
    if (end - line == 1) return std::optional(end + 1);
    line = end + 1;
  }
  if (bytes.size() >= kLargestHead) return fail(Code::kTooLarge, "HTTP head: longer than 32 KiB");
  return std::optional<std::size_t>();
}

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
  constexpr std::size_t kStatusAt = kVersion.size() + 1;
  const auto status = parse_integer(line.substr(std::min(kStatusAt, line.size()), 3));
  const bool well_formed = line.starts_with("HTTP/1.1 ") && status && *status >= 100 && *status <= 599 &&
                           (line.size() == kStatusAt + 3 || line[kStatusAt + 3] == ' ');
  if (!well_formed || std::ranges::any_of(line, is_control)) return refuse("bad status line");
  Response response;
  response.status = static_cast<int>(*status);
  TRY_ASSIGN(response.headers, parse_headers(lines));
  return response;
}

Result<BodyLength> body_length(const Headers& headers) {
  BodyLength length;
  for (const auto& [name, value] : headers) {
    if (same_name(name, "Transfer-Encoding")) {
      if (!same_name(value, "chunked")) return refuse("Transfer-Encoding other than chunked");
      length.chunked = true;
    }
    if (same_name(name, "Content-Length")) {
      std::size_t bytes = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), bytes);
      if (error != std::errc() || end != value.data() + value.size()) return refuse("bad Content-Length");
      length.bytes = bytes;
    }
  }
  return length;
}

}  // namespace sbx::http
