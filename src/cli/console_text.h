// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sbx::cli {

// What a guest's kernel, or whoever has taken it over, has printed, in pieces of any size, as it can be shown on a
// terminal: lines and tabs stay, every other control character (also those of eight bits, in UTF-8) becomes \xNN. The
// console ends its lines with \r\n, of which \n is left.
class ConsoleText {
 public:
  std::string shown(std::string_view piece);
  std::string rest();  // of a text that ended in the middle of something

 private:
  std::string held_;  // what cannot be judged without the byte after it
};

}  // namespace sbx::cli
