// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "guest/boot/accounts.h"
#include "wire/frame.h"

namespace sbx::guest {

// A pseudo terminal of the guest's devpts. The master does not block; the slave is for the program and is closed on our
// side once that has it, because the master reports EOF only when no process holds the slave.
struct Terminal {
  Fd master;
  Fd slave;
};

Result<Terminal> open_terminal(wire::WindowSize window);
void resize(const Fd& master, wire::WindowSize window);

// In the program's process: the terminal becomes the controlling one of the (new) session.
Result<> take_terminal(const Fd& slave, const Identity& identity);

}  // namespace sbx::guest
