// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <span>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx {

// poll(2) until one of them is ready (true) or the deadline has passed (false). It looks at least once, and EINTR is
// handled. SteadyTime::max() waits for ever.
Result<bool> poll_until(std::span<pollfd> watched, SteadyTime deadline);
Result<bool> wait_readable(const Fd& fd, SteadyTime deadline);

}  // namespace sbx
