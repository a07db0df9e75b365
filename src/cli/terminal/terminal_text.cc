// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/terminal_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kLongestStyle = 64;

// Bytes at the beginning of a text that belong together.
struct Unit {
  std::size_t size;
  bool is_shown;
};
using Judged = std::optional<Unit>;  // nothing: it depends on what comes next

bool is_plain(char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; }

// Of a text that begins with ESC.
Judged style(std::string_view text) {
  constexpr Unit kNone{1, true};
  if (text.size() > 1 && text[1] != '[') return kNone;
  const std::size_t end = text.find_first_not_of("0123456789;:", 2);
  if (std::min(end, text.size()) >= kLongestStyle) return kNone;
  if (end == std::string_view::npos) return std::nullopt;
  return text[end] == 'm' ? Unit{end + 1, false} : kNone;
}

Judged first_unit(std::string_view text) {
  if (text.front() == '\x1b') return style(text);
  if (text.starts_with("\r\n")) return Unit{1, false};
  if (text == "\r" || is_cut_character(text)) return std::nullopt;
  const auto character = first_character(text);
  return Unit{character ? character->size : 1, true};
}

}  // namespace

std::string TerminalText::shown(std::string_view piece) {
  const std::string text = std::exchange(held_, {}).append(piece);
  std::string out;
  for (std::string_view left = text; !left.empty();) {
    const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(left, is_plain) - left.begin());
    out += left.substr(0, plain);
    left.remove_prefix(plain);
    if (left.empty()) break;
    const Judged unit = first_unit(left);
    if (!unit) {
      held_ = left;
      break;
    }
    if (unit->is_shown) out += printable(left.substr(0, unit->size));
    left.remove_prefix(unit->size);
  }
  return out;
}

std::string TerminalText::rest() { return printable(std::exchange(held_, {})); }

}  // namespace sbx::cli
