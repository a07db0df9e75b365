// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>

#include "base/fd.h"
#include "base/result.h"
#include "exchange/exec_stream.h"

namespace sbx::sandboxes {

// The least that a guest must send: so many bytes in each such time.
struct Pace {
  std::size_t bytes = 64u << 10;
  std::chrono::milliseconds time = std::chrono::seconds(60);
};

// What the guest sends, to where it is unpacked, until its command ends. A guest that is slower than the pace is
// kTimeout; the time that the other end takes is not the guest's. It is no failure of the guest's if that end has
// stopped reading.
Result<> copy_from_guest(exchange::ExecStream& stream, Fd to, Pace pace = {});

}  // namespace sbx::sandboxes
