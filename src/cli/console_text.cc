// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/console_text.h"

#include <utility>

#include "base/format.h"
#include "base/text.h"

namespace sbx::cli {
namespace {

constexpr char kLead = '\xc2';  // of U+0080 to U+00BF

bool is_eight_bit_control(char lead, char next) {
  const auto byte = static_cast<unsigned char>(next);
  return lead == kLead && byte >= 0x80 && byte < 0xa0;
}

}  // namespace

std::string ConsoleText::shown(std::string_view piece) {
  const std::string text = std::exchange(held_, {}).append(piece);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '\r' || c == kLead) && i + 1 == text.size()) {
      held_ = c;
    } else if (c == '\n' || c == '\t') {
      out += c;
    } else if (c == '\r' && text[i + 1] == '\n') {
      continue;
    } else if (is_eight_bit_control(c, text[i + 1])) {
      out += sbx::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else {
      out += printable(std::string_view(text).substr(i, 1));
    }
  }
  return out;
}

std::string ConsoleText::rest() { return printable(std::exchange(held_, {})); }

}  // namespace sbx::cli
