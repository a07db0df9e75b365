// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/extended.h"

#include <charconv>

#include "archive/member.h"
#include "base/text.h"

namespace sbx::archive {
namespace {

Failure malformed() { return fail(Code::kInvalid, "the archive has a malformed extended header"); }

Result<> set_name(std::optional<std::string>& into, std::string_view value) {
  if (value.size() > kLongestName || value.find('\0') != std::string_view::npos) return malformed();
  if (!value.empty()) into = std::string(value);
  return Ok{};
}

Result<> set_size(Extension& into, std::string_view value) {
  into.size = parse_integer(value);
  if (!into.size || *into.size < 0) return malformed();
  return Ok{};
}

// "1700000000.123456789"; digits past the ninth do not count.
Result<> set_mtime(Extension& into, std::string_view value) {
  const auto dot = value.find('.');
  into.mtime = parse_integer(value.substr(0, dot));
  if (!into.mtime) return malformed();
  if (dot == std::string_view::npos) return Ok{};
  std::string digits(value.substr(dot + 1, 9));
  digits.append(9 - digits.size(), '0');
  const auto ns = parse_integer(digits);
  if (!ns || *ns < 0) return malformed();
  into.mtime_ns = *ns;
  return Ok{};
}

Result<> set(Extension& into, std::string_view key, std::string_view value) {
  if (key == "path") return set_name(into.name, value);
  if (key == "linkpath") return set_name(into.link, value);
  if (key == "size") return set_size(into, value);
  if (key == "mtime") return set_mtime(into, value);
  if (key.starts_with("GNU.sparse.")) return fail(Code::kInvalid, "the archive has a sparse file: not supported");
  return Ok{};
}

}  // namespace

Result<> read_records(std::string_view text, Extension& into) {
  while (!text.empty()) {
    const auto space = text.find(' ');
    if (space == std::string_view::npos) return malformed();
    const auto length = parse_integer(text.substr(0, space));
    if (!length || *length <= static_cast<std::int64_t>(space) + 1) return malformed();
    const auto size = static_cast<std::size_t>(*length);
    if (size > text.size() || text[size - 1] != '\n') return malformed();
    const std::string_view body = text.substr(space + 1, size - space - 2);
    const auto equals = body.find('=');
    if (equals == std::string_view::npos) return malformed();
    TRY(set(into, body.substr(0, equals), body.substr(equals + 1)));
    text.remove_prefix(size);
  }
  return Ok{};
}

std::string record(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;  // the space, the equals sign, the newline
  std::size_t length = rest + 1;
  // The length counts its own digits.
  while (rest + std::to_string(length).size() != length) ++length;
  std::string out = std::to_string(length);
  out.append(" ").append(key).append("=").append(value).append("\n");
  return out;
}

}  // namespace sbx::archive
