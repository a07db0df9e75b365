// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/json5_number.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "base/json.h"
#include "base/text.h"

namespace sbx::openclaw {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Failure no_number(std::string_view text) {
  return fail(Code::kInvalid, "not a number: " + printable(text.substr(0, 40)));
}

std::size_t digits_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - begin;
}

// [digits][.digits][e[sign]digits] with a digit before the exponent, and no zero in front of others.
bool is_decimal(std::string_view text) {
  const std::size_t whole = digits_at(text, 0);
  if (whole > 1 && text[0] == '0') return false;
  std::size_t at = whole;
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    fraction = digits_at(text, ++at);
    at += fraction;
  }
  if (whole + fraction == 0) return false;
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t exponent = digits_at(text, at);
  return exponent > 0 && at + exponent == text.size();
}

Result<Json> integer(std::string_view text, std::string_view digits, int base, bool negative) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error == std::errc::result_out_of_range || (error == std::errc() && value > kMost))
    return fail(Code::kInvalid, "the number is too large: " + printable(text.substr(0, 40)));
  if (error != std::errc() || end != digits.data() + digits.size()) return no_number(text);
  return Json(negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value));
}

// from_chars knows no number without a digit before its point.
Result<Json> fraction(std::string_view text, std::string_view decimal, bool negative) {
  const std::string whole = "0" + std::string(decimal);
  double value = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), value);
  if (error == std::errc::result_out_of_range || !std::isfinite(value))
    return fail(Code::kInvalid, "the number is too large or too small: " + printable(text.substr(0, 40)));
  if (error != std::errc() || end != whole.data() + whole.size()) return no_number(text);
  return Json(negative ? -value : value);
}

}  // namespace

bool is_number_start(char c) { return is_digit(c) || c == '+' || c == '-' || c == '.'; }
bool is_number_part(char c) { return is_number_start(c) || is_letter(c); }

Result<Json> json5_number(std::string_view text) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "Infinity" || rest == "NaN") return fail(Code::kInvalid, std::string(text) + " is of no use here");
  if (rest.starts_with("0x") || rest.starts_with("0X")) return integer(text, rest.substr(2), 16, negative);
  if (!is_decimal(rest)) return no_number(text);
  if (rest.find_first_not_of("0123456789") == std::string_view::npos) return integer(text, rest, 10, negative);
  return fraction(text, rest, negative);
}

}  // namespace sbx::openclaw
