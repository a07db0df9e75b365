// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/terminal_output.h"

#include <algorithm>
#include <utility>

namespace sbx::shim {
namespace {

// How far is looked for a place to begin.
constexpr std::size_t kLongestLine = 4096;

}  // namespace

void TerminalOutput::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t at = end_ % capacity_;
    const std::string_view piece = bytes.substr(0, capacity_ - at);
    if (end_ + piece.size() > begin_ + capacity_) drop(end_ + piece.size() - capacity_);
    if (bytes_.size() < at + piece.size()) bytes_.resize(at + piece.size());
    std::copy(piece.begin(), piece.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
    end_ += piece.size();
    bytes.remove_prefix(piece.size());
  }
}

std::string_view TerminalOutput::from(std::uint64_t number) const {
  const std::size_t at = number % capacity_;
  return std::string_view(bytes_).substr(at, std::min<std::uint64_t>(end_ - number, capacity_ - at));
}

void TerminalOutput::drop(std::uint64_t until) {
  while (begin_ < until) {
    const std::string_view gone = from(begin_).substr(0, until - begin_);
    modes_.feed(gone);
    begin_ += gone.size();
  }
}

void TerminalOutput::keep(std::size_t bytes) {
  if (bytes >= capacity_) return;
  if (end_ - begin_ > bytes) drop(end_ - bytes);
  TerminalOutput smaller(bytes);
  smaller.begin_ = smaller.end_ = begin_;
  smaller.modes_ = std::move(modes_);
  while (smaller.end_ < end_) smaller.append(from(smaller.end_));
  *this = std::move(smaller);
}

// The number itself if none begins soon.
std::uint64_t TerminalOutput::line_after(std::uint64_t number) const {
  const std::uint64_t limit = std::min(number + kLongestLine, end_);
  for (std::uint64_t at = number; at < limit;) {
    const std::string_view some = from(at).substr(0, limit - at);
    if (const std::size_t newline = some.find('\n'); newline != some.npos) return at + newline + 1;
    at += some.size();
  }
  return number;
}

TerminalOutput::Beginning TerminalOutput::newest(std::size_t bytes) const {
  std::uint64_t start = begin_;
  if (end_ - start > bytes) start = end_ - bytes;
  if (start > 0) start = line_after(start);
  TerminalModes modes = modes_;
  for (std::uint64_t at = begin_; at < start;) {
    const std::string_view some = from(at).substr(0, start - at);
    modes.feed(some);
    at += some.size();
  }
  return {start, modes.to_set()};
}

}  // namespace sbx::shim
