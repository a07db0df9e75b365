// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/guest_copy.h"

#include "base/clock.h"

namespace sbx::sandboxes {

Result<> copy_from_guest(exchange::ExecStream& stream, Fd to, Pace pace) {
  SteadyTime deadline = steady_now() + pace.time;
  for (std::size_t received = 0;;) {
    stream.give_up_at(deadline);
    TRY_ASSIGN(const std::string_view bytes, stream.read());
    if (bytes.empty()) return stream.finish();
    const SteadyTime came = steady_now();
    if (!write_all(to, bytes)) return Ok{};
    deadline += steady_now() - came;
    received += bytes.size();
    if (received < pace.bytes) continue;
    received = 0;
    deadline = steady_now() + pace.time;
  }
}

}  // namespace sbx::sandboxes
