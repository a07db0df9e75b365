// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/clock.h"

namespace sbx::shim {

// What a guest says for the log (kLog): a burst of lines and then so many a second. The others are counted, and the
// count is logged with the next line that passes, or at the end.
class GuestLog {
 public:
  static constexpr int kBurst = 100;
  static constexpr int kEachSecond = 10;

  explicit GuestLog(std::function<SteadyTime()> clock = steady_now);
  ~GuestLog();
  GuestLog(const GuestLog&) = delete;
  GuestLog& operator=(const GuestLog&) = delete;

  void say(std::string_view line);

 private:
  bool may_pass();
  void count();

  std::function<SteadyTime()> clock_;
  SteadyTime refilled_;
  int left_ = kBurst;
  std::uint64_t dropped_ = 0;
};

}  // namespace sbx::shim
