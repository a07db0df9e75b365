// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace sbx::backends::qemu {

// How fast the processor's time stamp counter runs: an emulated machine's kernel has to be told, because measuring it
// against the emulated timer goes wrong once in a while and then hangs. Measures from its construction on; the longer
// it lives the better it knows.
class TscMeter {
 public:
  TscMeter();
  std::int64_t khz() const;  // waits until it has seen enough, which is a few milliseconds

 private:
  SteadyTime begin_;
  std::uint64_t count_;
};

}  // namespace sbx::backends::qemu
