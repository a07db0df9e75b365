// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/promise.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace sbx::agentloop {
namespace {

constexpr std::string_view kOpening = "<promise>";
constexpr std::string_view kClosing = "</promise>";

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool is_tagged(std::string_view line, std::string_view promise) {
  if (line.size() < kOpening.size() + kClosing.size()) return false;
  const std::string_view opening = line.substr(0, kOpening.size());
  const std::string_view closing = line.substr(line.size() - kClosing.size());
  if (!equal_in_any_case(opening, kOpening) || !equal_in_any_case(closing, kClosing)) return false;
  line.remove_prefix(kOpening.size());
  line.remove_suffix(kClosing.size());
  return equal_in_any_case(trimmed(line), promise);
}

// How many bytes a control sequence has that begins with ESC: CSI up to its final byte, OSC up to BEL or ESC \, or two.
std::size_t sequence_length(std::string_view text) {
  if (text.size() < 2) return text.size();
  if (text[1] == '[') {
    std::size_t end = 2;
    while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
    return std::min(end + 1, text.size());
  }
  if (text[1] != ']') return 2;
  for (std::size_t end = 2; end < text.size(); ++end) {
    if (text[end] == '\a') return end + 1;
    if (text[end] == '\x1b') return std::min(end + 2, text.size());
  }
  return text.size();
}

}  // namespace

std::string_view last_line_of(std::string_view words) {
  words = trimmed(words);
  return trimmed(words.substr(words.find_last_of("\r\n") + 1));
}

bool is_promised(std::string_view words, std::string_view promise, PromiseForm form) {
  promise = trimmed(promise);
  if (promise.empty()) return false;
  const std::string_view line = last_line_of(words);
  return is_tagged(line, promise) || (form == PromiseForm::kPlain && line == promise);
}

std::string without_colours(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t length = text.front() == '\x1b' ? sequence_length(text) : 0;
    if (length == 0) plain += text.front();
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return plain;
}

std::string without_echo(std::string words, std::string_view prompt) {
  prompt = trimmed(prompt);
  if (prompt.empty()) return words;
  for (auto found = words.find(prompt); found != std::string::npos; found = words.find(prompt, found))
    words.erase(found, prompt.size());
  return words;
}

}  // namespace sbx::agentloop
