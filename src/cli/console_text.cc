// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/console_text.h"

#include <utility>

#include "base/text.h"

namespace sbx::cli {
namespace {

constexpr char kLead = '\xc2';  // of the control characters above ASCII, in UTF-8

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

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
    } else {
      const std::size_t size = c == kLead && is_continuation(text[i + 1]) ? 2 : 1;
      out += printable(std::string_view(text).substr(i, size));
      i += size - 1;
    }
  }
  return out;
}

std::string ConsoleText::rest() { return printable(std::exchange(held_, {})); }

}  // namespace sbx::cli
