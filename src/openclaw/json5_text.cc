// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/json5_text.h"

#include "base/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "openclaw/json5_number.h"

namespace sbx::openclaw {
namespace {

constexpr char32_t kLineSeparator = 0x2028;
constexpr char32_t kParagraphSeparator = 0x2029;

bool is_line_end(char32_t c) { return c == '\n' || c == '\r' || c == kLineSeparator || c == kParagraphSeparator; }

bool is_blank(char32_t c) {
  return is_line_end(c) || c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == 0xa0 || c == 0xfeff || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f || c == 0x3000;
}

// Of other alphabets all that is neither blank nor steers a display.
bool is_name_character(char32_t c, bool is_first) {
  if (c >= 0x80) return !is_blank(c) && !steers_display(c);
  if (c >= '0' && c <= '9') return !is_first;
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string utf8_of(char32_t c) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xc0 | c >> 6), byte(0x80 | (c & 0x3f))};
  if (c < 0x10000) return {byte(0xe0 | c >> 12), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f))};
  return {byte(0xf0 | c >> 18), byte(0x80 | (c >> 12 & 0x3f)), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f))};
}

// What a backslash makes of one character; 0: it stands for itself.
char meaning_of(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return '\0';
  }
}

}  // namespace

void Json5Text::take() {
  const bool ends_line = rest_.front() == '\n' || (rest_.front() == '\r' && !rest_.starts_with("\r\n"));
  rest_.remove_prefix(1);
  position_ = ends_line ? Position{position_.line + 1, 1} : Position{position_.line, position_.column + 1};
}

bool Json5Text::take_if(char c) {
  if (rest_.empty() || rest_.front() != c) return false;
  take();
  return true;
}

Result<std::string_view> Json5Text::take_character() {
  const auto character = first_character(rest_);
  if (!character) return error(rest_.empty() ? "the text ends too early" : "this is no UTF-8");
  const std::string_view bytes = rest_.substr(0, character->size);
  if (character->size == 1) {
    take();
    return bytes;
  }
  rest_.remove_prefix(character->size);
  position_.column += 1;
  return bytes;
}

Result<> Json5Text::skip_blank() {
  while (!rest_.empty()) {
    if (rest_.starts_with("//") || rest_.starts_with("/*")) {
      TRY(skip_comment());
      continue;
    }
    const auto character = first_character(rest_);
    if (character && !is_blank(character->code)) return Ok{};
    TRY(take_character());
  }
  return Ok{};
}

Result<> Json5Text::skip_comment() {
  const Position begin = position_;
  const bool is_line = rest_.starts_with("//");
  take();
  take();
  while (!rest_.empty()) {
    if (!is_line && rest_.starts_with("*/")) {
      take();
      take();
      return Ok{};
    }
    TRY_ASSIGN(const std::string_view bytes, take_character());
    if (is_line && is_line_end(first_character(bytes)->code)) return Ok{};
  }
  return is_line ? Result<>() : error_at(begin, "the comment has no end");
}

Result<std::string> Json5Text::quoted() {
  const Position begin = position_;
  const char quote = peek();
  take();
  std::string content;
  for (;;) {
    if (rest_.empty() || rest_.front() == '\n' || rest_.front() == '\r')
      return error_at(begin, "the text has no end: the quote is missing");
    if (take_if(quote)) break;
    if (take_if('\\')) {
      TRY_ASSIGN(const std::string meant, escaped());
      content += meant;
      continue;
    }
    TRY_ASSIGN(const std::string_view bytes, take_character());
    content += bytes;
  }
  if (content.find('\0') != std::string::npos) return error_at(begin, "the text has a NUL character in it");
  return content;
}

Result<std::string> Json5Text::escaped() {
  const Position at = position_;
  const char c = peek();
  TRY_ASSIGN(const std::string_view bytes, take_character());
  if (c == 'u') return unicode_escape();
  if (c == 'x') {
    TRY_ASSIGN(const char32_t code, this->code(2));
    return utf8_of(code);
  }
  if (c == '\r') {
    (void)take_if('\n');
    return std::string();
  }
  if (is_line_end(first_character(bytes)->code)) return std::string();  // the text goes on in the next line
  if (c >= '0' && c <= '9')
    return error_at(at, c == '0' ? "a text cannot have a NUL character in it" : "a digit after a backslash");
  const char meant = meaning_of(c);
  return meant == '\0' ? std::string(bytes) : std::string(1, meant);
}

Result<char32_t> Json5Text::code(std::size_t digits) {
  char32_t code = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const int digit = digit_of(peek());
    if (digit < 0) return error(sbx::format("{} hexadecimal digits are missing", digits));
    code = code * 16 + static_cast<char32_t>(digit);
    take();
  }
  return code;
}

Result<std::string> Json5Text::unicode_escape() {
  const Position at = position_;
  TRY_ASSIGN(const char32_t first, code(4));
  if (first < 0xd800 || first > 0xdfff) return utf8_of(first);
  if (first > 0xdbff || !rest_.starts_with("\\u")) return error_at(at, "half of a character");
  take();
  take();
  TRY_ASSIGN(const char32_t second, code(4));
  if (second < 0xdc00 || second > 0xdfff) return error_at(at, "half of a character");
  return utf8_of(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
}

Result<std::string> Json5Text::identifier() {
  const Position begin = position_;
  std::string name;
  while (!rest_.empty()) {
    const Position at = position_;
    std::string piece;
    if (rest_.starts_with("\\u")) {
      take();
      take();
      TRY_ASSIGN(piece, unicode_escape());
    } else {
      const auto character = first_character(rest_);
      if (!character) return error("this is no UTF-8");
      if (!is_name_character(character->code, name.empty())) break;
      TRY_ASSIGN(piece, take_character());
    }
    if (!is_name_character(first_character(piece)->code, name.empty()))
      return error_at(at, "a key with this character in it has to be in quotes");
    name += piece;
  }
  if (!name.empty()) return name;
  return error_at(begin, rest_.empty() ? "the text ends where a key should be" : "a key is missing");
}

std::string_view Json5Text::take_number() {
  std::size_t size = 0;
  // A sign after the first character belongs to an exponent only, so that 1-2 is one wrong number and not two.
  while (size < rest_.size() && is_number_part(rest_[size])) ++size;
  const std::string_view number = rest_.substr(0, size);
  rest_.remove_prefix(size);
  position_.column += size;
  return number;
}

Failure Json5Text::error_at(const Position& at, const std::string& what) {
  return fail(Code::kInvalid, sbx::format("line {}, column {}: {}", at.line, at.column, printable(what)));
}

}  // namespace sbx::openclaw
