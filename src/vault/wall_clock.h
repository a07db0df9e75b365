// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace sbx::vault {

// Since the epoch, as credentials have their end.
inline std::int64_t wall_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(now().time_since_epoch()).count();
}

}  // namespace sbx::vault
