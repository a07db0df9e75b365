// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::openclaw {

struct Position {
  std::size_t line = 1;
  std::size_t column = 1;  // in characters
};

// The characters of a JSON5 document, taken from its beginning to its end, and the words that are made of them.
class Json5Text {
 public:
  explicit Json5Text(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  void take();  // one character of ASCII
  bool take_if(char c);
  Position position() const { return position_; }

  // White space and comments.
  Result<> skip_blank();
  // A text in quotes, of either kind, without them. It has no NUL in it.
  Result<std::string> quoted();
  // A key without quotes, or true, false, null.
  Result<std::string> identifier();
  // As many characters as a number may have in it; what they are is not checked.
  std::string_view take_number();

  // kInvalid, with where it is.
  Failure error(const std::string& what) const { return error_at(position_, what); }
  static Failure error_at(const Position& at, const std::string& what);

 private:
  Result<> skip_comment();
  Result<std::string> escaped();              // what follows a backslash
  Result<char32_t> code(std::size_t digits);  // of \xNN and \uNNNN
  Result<std::string> unicode_escape();       // after \u, with the second half of a pair
  Result<std::string_view> take_character();  // of any size; a broken one is an error

  std::string_view rest_;
  Position position_;
};

}  // namespace sbx::openclaw
