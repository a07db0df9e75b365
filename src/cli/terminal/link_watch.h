// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/terminal_scanner.h"

namespace sbx::cli {

// Whether a page was asked for just now, or in output that is shown again because a client came back to its session.
enum class LinkAge { kNew, kOld };

// Finds the pages that programs want to be opened (wire::kOpenLink) in what they print on a terminal.
class LinkWatch {
 public:
  // Their addresses, as they were written: unchecked.
  std::vector<std::string> feed(std::string_view bytes);

 private:
  TerminalScanner scanner_;
};

}  // namespace sbx::cli
