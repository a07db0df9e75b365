// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/opening.h"

#include <algorithm>

#include "http/fields.h"
#include "proxy/tls_likeness.h"

namespace sbx::proxy {
namespace {

bool is_text(char c) { return (c >= 0x20 && c < 0x7f) || c == '\r' || c == '\t'; }

bool contains_http(std::string_view line) {
  constexpr std::string_view kMark = "HTTP/";
  const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  return std::search(line.begin(), line.end(), kMark.begin(), kMark.end(), same) != line.end();
}

// Before it could also be a request of HTTP/1.1 it is unclear, as the beginning of any other line is.
bool begins_like_http2(std::string_view bytes) {
  const std::size_t size = std::min(bytes.size(), kHttp2Preface.size());
  return bytes.substr(0, size) == kHttp2Preface.substr(0, size) && contains_http(bytes.substr(0, size));
}

// GET / ..., PROPFIND * ..., before the end of the line is there.
bool begins_like_http(std::string_view line) {
  const auto space = line.find(' ');
  return space != std::string_view::npos && space + 1 < line.size() && http::is_token(line.substr(0, space)) &&
         line[space + 1] == '/';
}

}  // namespace

Opening opening_of(std::string_view bytes) {
  if (bytes.empty()) return Opening::kUnclear;
  if (const Likeness tls = likeness_to_tls(bytes); tls != Likeness::kNo)
    return tls == Likeness::kYes ? Opening::kTls : Opening::kUnclear;
  if (begins_like_http2(bytes)) return Opening::kHttp2;
  const auto start = bytes.find_first_not_of("\r\n \t");
  if (start == std::string_view::npos) return bytes.size() > http::kLargestHead ? Opening::kOther : Opening::kUnclear;
  bytes.remove_prefix(start);
  const auto end = bytes.find('\n');
  const std::string_view line = bytes.substr(0, end);
  if (contains_http(line) || begins_like_http(line)) return Opening::kHttp;
  if (end != std::string_view::npos || line.size() > http::kLargestHead) return Opening::kOther;
  return std::ranges::all_of(line, is_text) ? Opening::kUnclear : Opening::kOther;
}

}  // namespace sbx::proxy
