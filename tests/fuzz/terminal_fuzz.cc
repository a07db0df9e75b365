// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/terminal_modes.h"
#include "base/terminal_scanner.h"

// What a program of the guest's prints on its terminal. The first byte says in which pieces it comes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx;
  if (size == 0) return 0;
  const std::size_t step = data[0] + 1u;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  TerminalScanner scanner;
  TerminalModes modes;
  std::string all;
  for (std::size_t at = 0; at < text.size(); at += step) {
    const std::string piece = text.substr(at, step);
    scanner.feed(piece);
    while (const auto found = scanner.next()) {
      if (found->bytes.empty()) std::abort();
      all += found->bytes;
    }
    if (scanner.held().size() > TerminalScanner::kLongest) std::abort();
    modes.feed(piece);
  }
  if (all + std::string(scanner.held()) != text) std::abort();
  TerminalModes whole;
  whole.feed(text);
  // A sequence that is too long is text, and where that begins depends on the pieces.
  if (text.size() <= TerminalScanner::kLongest && whole.to_set() != modes.to_set()) std::abort();
  TerminalModes again;
  again.feed(modes.to_set());
  if (again.to_set() != modes.to_set()) std::abort();
  again.feed(again.to_reset());
  if (!again.to_set().empty()) std::abort();
  return 0;
}
