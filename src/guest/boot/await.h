// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <ctime>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/result.h"

namespace sbx::guest {

inline constexpr std::chrono::seconds kDeviceLimit{20};
inline constexpr timespec kBetweenLooks{0, 500'000};

// Devices appear a moment after their driver: what `look` finds (an optional), once it finds something.
template <class Look>
auto look_until_found(const std::string& what, Look look) -> Result<typename decltype(look())::value_type> {
  const SteadyTime deadline = steady_now() + kDeviceLimit;
  for (;;) {
    if (auto found = look()) return std::move(*found);
    if (steady_now() > deadline) return fail(Code::kTimeout, what + " did not appear");
    ::nanosleep(&kBetweenLooks, nullptr);
  }
}

}  // namespace sbx::guest
