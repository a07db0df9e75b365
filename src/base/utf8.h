// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sbx {

struct Character {
  char32_t code;
  std::size_t size;  // bytes in UTF-8
};

// The character that the text begins with. Nothing: there is none, or it is not well formed (an overlong form, a
// surrogate, a byte on its own).
std::optional<Character> first_character(std::string_view text);

// Whether the text is the beginning of one character, and needs more bytes to be it.
bool is_cut_character(std::string_view text);

// Whether a terminal obeys it, or shows text in another order or on another line for it: control characters (U+009B
// begins an escape sequence, too), those that change the direction of writing, separators of lines and paragraphs.
bool steers_display(char32_t code);

}  // namespace sbx
