// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/format.h"
#include "base/utf8.h"

namespace sbx {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string_view cut_off(std::string_view& rest, char separator) {
  const auto at = rest.find(separator);
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return part;
}

bool split_exactly(std::string_view text, char separator, std::span<std::string_view> parts) {
  std::size_t count = 0;
  for (;;) {
    if (count == parts.size()) return false;
    const auto at = text.find(separator);
    parts[count++] = text.substr(0, at);
    if (at == std::string_view::npos) return count == parts.size();
    text.remove_prefix(at + 1);
  }
}

std::string join(const std::vector<std::string_view>& parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return join(std::vector<std::string_view>(parts.begin(), parts.end()), separator);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto character = first_character(text);
    const std::size_t size = character ? character->size : 1;
    const char32_t code = character ? character->code : static_cast<unsigned char>(text.front());
    if (character && !steers_display(code))
      out += text.substr(0, size);
    else
      out += code < 0x100 ? sbx::format("\\x{:02x}", static_cast<unsigned>(code))
                          : sbx::format("\\u{:04x}", static_cast<unsigned>(code));
    text.remove_prefix(size);
  }
  return out;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value) || value < 0) return std::nullopt;
  std::string unit;
  for (const char* c = end; c != text.data() + text.size(); ++c) unit += static_cast<char>(*c | 0x20);
  constexpr std::string_view kUnits = "bkmgt";
  double scale = 1;
  if (!unit.empty()) {
    const auto power = kUnits.find(unit.front());
    const std::string_view rest = std::string_view(unit).substr(1);
    if (power == std::string_view::npos || !(rest.empty() || (power > 0 && (rest == "b" || rest == "ib"))))
      return std::nullopt;
    scale = std::pow(1024.0, static_cast<double>(power));
  }
  const double bytes = value * scale;
  if (bytes > 9.0e18) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::string_view kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  const bool is_whole = unit == 0 || value >= 100;
  return sbx::format("{:.{}f} {}", value, is_whole ? 0 : 1, kUnits[unit]);
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
  constexpr std::int64_t kMost = std::int64_t{100} * 365 * 86400;
  std::int64_t total = 0;
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto count = parse_integer(text.substr(0, digits));
    if (!count || *count > kMost || digits == text.size()) return std::nullopt;
    std::int64_t unit = 0;
    if (text[digits] == 's') unit = 1;
    if (text[digits] == 'm') unit = 60;
    if (text[digits] == 'h') unit = 3600;
    if (text[digits] == 'd') unit = 86400;
    if (unit == 0 || (total += *count * unit) > kMost) return std::nullopt;
    text.remove_prefix(digits + 1);
  }
  return total;
}

}  // namespace sbx
