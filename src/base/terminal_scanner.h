// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sbx {

// Splits what a program prints on a terminal, in pieces of any size, into text and control sequences (ECMA-48: what
// begins with ESC). The bytes of all pieces together are those that were fed, in their order.
//
//   scanner.feed(bytes);
//   while (const auto piece = scanner.next()) ...  // its bytes are valid until the next feed()
//
// A sequence that is cut off is held until its end comes. One that is longer than kLongest, such as an image, is given
// as text; so is one that is broken, up to where it breaks.
class TerminalScanner {
 public:
  static constexpr std::size_t kLongest = 4096;

  struct Piece {
    std::string_view bytes;
    bool is_sequence = false;
  };

  void feed(std::string_view bytes);
  std::optional<Piece> next();
  // What is held: the beginning of a sequence.
  std::string_view held() const { return held_; }

 private:
  std::string held_;
  std::string joined_;     // what was held, and what came after it
  std::string_view left_;  // of what was fed
};

// A sequence that begins with ESC [, in its parts: ESC [ ? 1 ; 1049 h.
struct ControlSequence {
  char prefix = 0;  // < = > ? or none
  std::array<int, 16> parameters{};
  std::size_t count = 0;  // of the parameters; one that is left out is 0
  char intermediate = 0;  // the last one before the final byte, or none
  char final = 0;

  // Nothing: it is another kind of sequence, or has more parameters than a terminal reads.
  static std::optional<ControlSequence> parse(std::string_view sequence);
};

}  // namespace sbx
