// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/terminal_scanner.h"

namespace sbx::cli {

// For output that is shown a second time, to bring a screen back: without what should happen only once. A question to
// the terminal (what are you, where is the cursor, which colours) would be answered again, and the answer typed into a
// program that does not wait for it any more; the bell would ring, the clipboard change, a notification pop up.
class ReplayFilter {
 public:
  std::string shown(std::string_view bytes);
  // A sequence that began in what was shown again and ends in what is new.
  std::string rest() const { return std::string(scanner_.held()); }

 private:
  TerminalScanner scanner_;
};

}  // namespace sbx::cli
