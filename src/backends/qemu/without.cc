// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/without.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"

namespace sbx::backends::qemu {

std::string_view switched_off() {
  const char* list = std::getenv("SANDBOXD_WITHOUT");
  return list == nullptr ? "" : list;
}

bool without(std::string_view what) {
  const auto words = split(switched_off(), ',');
  return std::ranges::find(words, what) != words.end();
}

}  // namespace sbx::backends::qemu
