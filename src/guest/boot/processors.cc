// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/processors.h"

#include "base/file.h"
#include "base/text.h"

namespace sbx::guest {

// By number, because to a machine of one processor that is a single open that finds nothing. The first cannot be
// switched, and our machines have no gaps.
Result<> start_processors(const std::string& directory) {
  for (int number = 1;; ++number) {
    const std::string processor = directory + "/cpu" + std::to_string(number) + "/online";
    const auto state = read_file(processor, 16);
    if (!state) return Ok{};
    if (trimmed(*state) == "0") TRY(write_file(processor, "1"));
  }
}

}  // namespace sbx::guest
