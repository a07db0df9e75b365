// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/poll.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>

namespace sbx {

Result<bool> poll_until(std::span<pollfd> watched, SteadyTime deadline) {
  for (;;) {
    const std::int64_t left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_now()).count();
    const auto limit = static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX));
    const int n = ::poll(watched.data(), watched.size(), limit);
    if (n > 0) return true;
    if (n < 0 && errno != EINTR) return fail_errno("poll");
    if (n == 0 && left <= 0) return false;
  }
}

Result<bool> wait_readable(const Fd& fd, SteadyTime deadline) {
  pollfd watched{fd.get(), POLLIN, 0};
  return poll_until({&watched, 1}, deadline);
}

}  // namespace sbx
