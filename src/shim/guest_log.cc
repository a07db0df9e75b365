// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/guest_log.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace sbx::shim {
namespace {

constexpr auto kEach = std::chrono::milliseconds(1000 / GuestLog::kEachSecond);

}  // namespace

GuestLog::GuestLog(std::function<SteadyTime()> clock) : clock_(std::move(clock)), refilled_(clock_()) {}

GuestLog::~GuestLog() { count(); }

bool GuestLog::may_pass() {
  const auto lines = (clock_() - refilled_) / kEach;
  refilled_ += lines * kEach;
  left_ = static_cast<int>(std::min<std::int64_t>(kBurst, left_ + lines));
  if (left_ == 0) return false;
  --left_;
  return true;
}

void GuestLog::say(std::string_view line) {
  if (!may_pass()) {
    ++dropped_;
    return;
  }
  count();
  log_info("guest: {}", line);
}

void GuestLog::count() {
  if (dropped_ == 0) return;
  log_warning("{} lines of the guest were dropped: it said more than {} a second", std::exchange(dropped_, 0),
              kEachSecond);
}

}  // namespace sbx::shim
