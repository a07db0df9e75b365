// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/terminal_scanner.h"

namespace sbx {

// What a program has switched on and off on its terminal: the other screen, the mouse, the cursor, ways of typing. It
// is known from what the program prints, so that
//   - a terminal that shows only the last of it can be made as it should be first: to_set();
//   - the user's terminal can be left as it was found: to_reset().
// A program may print anything: what is kept is little, and what is made of it are sequences of ours.
class TerminalModes {
 public:
  void feed(std::string_view bytes);

  std::string to_set() const;    // from a terminal as it usually is to this; empty if that is what it is
  std::string to_reset() const;  // and back

  static constexpr std::size_t kModes = 20;

 private:
  struct State {
    std::array<bool, kModes> modes{};
    bool keypad = false;        // ESC =
    bool line_drawing = false;  // ESC ( 0
    int cursor_style = 0;
    int modify_keys = 0;
    int keyboard_pushes = 0;  // of the kitty protocol
    int keyboard_flags = 0;
    int region_top = 0;  // 0: the whole screen scrolls
    int region_bottom = 0;
  };

  static State usual();
  void take(std::string_view sequence);
  void take(const ControlSequence& sequence);
  void take_keyboard(const ControlSequence& sequence);
  void switch_modes(const ControlSequence& sequence, bool on);
  void reset_softly();

  TerminalScanner scanner_;
  State state_ = usual();
};

}  // namespace sbx
