// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sbx::cli {

// What programs or the kernel of a guest have printed, in pieces of any size, as it can be shown on a terminal. Lines
// and tabs stay (of \r\n the \n is left); colours and the like (ESC [ 1 ; 31 m) are left out; all else that could drive
// the terminal or reorder the text is escaped as printable() does.
//
// Colours do not pass, because they can hide text (black on black), and because what is in force when `logs --follow`
// is interrupted would stay on the user's terminal.
class TerminalText {
 public:
  std::string shown(std::string_view piece);
  std::string rest();  // of a text that ended in the middle of something

 private:
  std::string held_;  // what cannot be judged without the bytes after it; less than 64
};

}  // namespace sbx::cli
