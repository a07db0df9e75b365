// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/tsc.h"

#include <chrono>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace sbx::backends::qemu {
namespace {

constexpr std::chrono::milliseconds kEnough{4};

std::uint64_t counter() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return 0;
#endif
}

}  // namespace

TscMeter::TscMeter() : begin_(steady_now()), count_(counter()) {}

std::int64_t TscMeter::khz() const {
  SteadyTime now = steady_now();
  while (now - begin_ < kEnough) now = steady_now();
  const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now - begin_).count();
  return static_cast<std::int64_t>(static_cast<double>(counter() - count_) * 1e6 / static_cast<double>(nanoseconds));
}

}  // namespace sbx::backends::qemu
