// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <algorithm>
#include <array>

namespace sbx {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array<Range, 6> kSteering{{
    {0x00, 0x1f},
    {0x7f, 0x9f},
    {0x061c, 0x061c},  // the Arabic letter mark
    {0x200e, 0x200f},  // left-to-right and right-to-left marks
    {0x2028, 0x202e},  // separators; embeddings and overrides of direction
    {0x2066, 0x206f},  // isolates of direction; deprecated controls
}};

// How a character of so many bytes begins, and the smallest that needs them.
struct Form {
  std::size_t size;
  unsigned char mask;
  unsigned char lead;
  char32_t smallest;
};

constexpr std::array<Form, 4> kForms{{
    {1, 0x80, 0x00, 0},
    {2, 0xe0, 0xc0, 0x80},
    {3, 0xf0, 0xe0, 0x800},
    {4, 0xf8, 0xf0, 0x10000},
}};

const Form* form_of(std::string_view text) {
  if (text.empty()) return nullptr;
  const auto lead = static_cast<unsigned char>(text.front());
  const auto form = std::ranges::find_if(kForms, [lead](const Form& each) { return (lead & each.mask) == each.lead; });
  return form == kForms.end() ? nullptr : form;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

bool is_allowed(char32_t code, const Form& form) {
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code >= form.smallest && code <= 0x10ffff && !surrogate;
}

}  // namespace

std::optional<Character> first_character(std::string_view text) {
  const Form* form = form_of(text);
  if (form == nullptr || text.size() < form->size) return std::nullopt;
  char32_t code = static_cast<unsigned char>(text.front()) & static_cast<unsigned char>(~form->mask);
  for (const char c : text.substr(1, form->size - 1)) {
    if (!is_continuation(c)) return std::nullopt;
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
  }
  if (!is_allowed(code, *form)) return std::nullopt;
  return Character{code, form->size};
}

bool is_cut_character(std::string_view text) {
  const Form* form = form_of(text);
  return form != nullptr && text.size() < form->size && std::ranges::all_of(text.substr(1), is_continuation);
}

bool steers_display(char32_t code) {
  return std::ranges::any_of(kSteering,
                             [code](const Range& range) { return code >= range.first && code <= range.last; });
}

}  // namespace sbx
