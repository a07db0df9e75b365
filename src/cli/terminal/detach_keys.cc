// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/detach_keys.h"

#include <optional>

#include "base/text.h"

namespace sbx::cli {
namespace {

std::optional<char> control_character(char key) {
  if (key >= 'a' && key <= 'z') return static_cast<char>(key - 'a' + 1);
  if (key >= 'A' && key <= 'Z') return static_cast<char>(key - 'A' + 1);
  if (key == '@') return '\0';
  if (key >= '[' && key <= '_') return static_cast<char>(key - '[' + 27);
  return std::nullopt;
}

std::optional<char> parse_key(std::string_view key) {
  if (key.size() == 1) return key.front();
  if (key.size() == 6 && key.starts_with("ctrl-")) return control_character(key[5]);
  return std::nullopt;
}

}  // namespace

Result<DetachKeys> DetachKeys::parse(std::string_view text) {
  std::string sequence;
  if (text.empty()) return DetachKeys(sequence);
  for (const std::string& key : split(text, ',')) {
    const auto code = parse_key(key);
    if (!code) return fail(Code::kInvalid, "--detach-keys: unknown key \"" + key + "\" (as in ctrl-p,ctrl-q)");
    sequence += *code;
  }
  return DetachKeys(std::move(sequence));
}

DetachKeys::Typed DetachKeys::filter(std::string_view typed) {
  if (sequence_.empty()) return Typed{std::string(typed), false};
  std::string held = sequence_.substr(0, matched_);
  Typed result;
  for (const char key : typed) {
    held += key;
    if (held == sequence_) {
      matched_ = 0;
      result.detach = true;
      return result;
    }
    while (!sequence_.starts_with(held)) {
      result.bytes += held.front();
      held.erase(0, 1);
    }
  }
  matched_ = held.size();
  return result;
}

}  // namespace sbx::cli
