// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "http/fields.h"

#include <strings.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace sbx::http {
namespace {

constexpr std::string_view kPunctuation = "!#$%&'*+-.^_`|~";  // of a token

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

}  // namespace

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

std::optional<std::string_view> find(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers)
    if (same_name(key, name)) return value;
  return std::nullopt;
}

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
