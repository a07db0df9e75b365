// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/terminal_scanner.h"

#include <algorithm>
#include <utility>

namespace sbx {
namespace {

constexpr char kEscape = '\x1b';
constexpr char kBell = '\x07';
constexpr char kCancel = '\x18';
constexpr char kSubstitute = '\x1a';
constexpr int kLargestParameter = 65535;

bool is_between(char c, char first, char last) { return c >= first && c <= last; }

// How a text that begins with ESC goes on.
struct Extent {
  enum class Is { kWhole, kCut, kBroken } is;
  std::size_t size;
};

constexpr Extent kCutOff{Extent::Is::kCut, 0};
Extent whole(std::size_t size) { return {Extent::Is::kWhole, size}; }
Extent broken(std::size_t size) { return {Extent::Is::kBroken, size}; }

// Parameters, intermediates, a final byte: from `at` on.
Extent csi(std::string_view text) {
  std::size_t at = 2;
  while (at < text.size() && is_between(text[at], '0', '?')) ++at;
  while (at < text.size() && is_between(text[at], ' ', '/')) ++at;
  if (at == text.size()) return kCutOff;
  return is_between(text[at], '@', '~') ? whole(at + 1) : broken(at);
}

Extent short_one(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && is_between(text[at], ' ', '/')) ++at;
  if (at == text.size()) return kCutOff;
  return is_between(text[at], '0', '~') ? whole(at + 1) : broken(at);
}

// Up to ESC \, or BEL.
Extent string(std::string_view text) {
  for (std::size_t at = 2; at < text.size(); ++at) {
    const char c = text[at];
    if (c == kBell) return whole(at + 1);
    if (c == kCancel || c == kSubstitute) return broken(at + 1);
    if (c != kEscape) continue;
    if (at + 1 == text.size()) return kCutOff;
    return text[at + 1] == '\\' ? whole(at + 2) : broken(at);
  }
  return kCutOff;
}

Extent extent_of(std::string_view text) {
  if (text.size() < 2) return kCutOff;
  switch (text[1]) {
    case '[':
      return csi(text);
    case ']':
    case 'P':
    case '_':
    case '^':
    case 'X':
      return string(text);
    default:
      return short_one(text);
  }
}

}  // namespace

void TerminalScanner::feed(std::string_view bytes) {
  left_ = bytes;
  joined_ = std::string();
  if (held_.empty()) return;
  joined_ = std::exchange(held_, {}).append(bytes);
  left_ = joined_;
}

std::optional<TerminalScanner::Piece> TerminalScanner::next() {
  if (left_.empty()) return std::nullopt;
  const auto take = [this](std::size_t size, bool is_sequence) {
    const Piece piece{left_.substr(0, size), is_sequence};
    left_.remove_prefix(piece.bytes.size());
    return piece;
  };
  if (left_.front() != kEscape) return take(left_.find(kEscape), false);
  const Extent extent = extent_of(left_);
  if (extent.is != Extent::Is::kCut) return take(extent.size, extent.is == Extent::Is::kWhole);
  if (left_.size() > kLongest) return take(left_.find(kEscape, 1), false);
  held_ = std::exchange(left_, {});
  return std::nullopt;
}

std::optional<ControlSequence> ControlSequence::parse(std::string_view sequence) {
  if (sequence.size() < 3 || !sequence.starts_with("\x1b[")) return std::nullopt;
  ControlSequence parsed;
  parsed.final = sequence.back();
  std::string_view inner = sequence.substr(2, sequence.size() - 3);
  if (!inner.empty() && is_between(inner.front(), '<', '?')) {
    parsed.prefix = inner.front();
    inner.remove_prefix(1);
  }
  while (!inner.empty() && is_between(inner.back(), ' ', '/')) {
    if (parsed.intermediate == 0) parsed.intermediate = inner.back();
    inner.remove_suffix(1);
  }
  if (inner.empty()) return parsed;
  parsed.count = 1;
  for (const char c : inner) {
    if (c == ';' || c == ':') {
      if (parsed.count == parsed.parameters.size()) return std::nullopt;
      ++parsed.count;
    } else if (is_between(c, '0', '9')) {
      int& parameter = parsed.parameters[parsed.count - 1];
      parameter = std::min(parameter * 10 + (c - '0'), kLargestParameter);
    } else {
      return std::nullopt;
    }
  }
  return parsed;
}

}  // namespace sbx
