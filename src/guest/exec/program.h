// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fd.h"
#include "guest/boot/descriptors.h"
#include "wire/exec.h"
#include "wire/guest.h"

namespace sbx::guest {

// A program's ends of its pipes, or the terminal three times.
struct Ends {
  Fd in;
  Fd out;
  Fd err;
};

// What the process of one exec starts with. Everything is borrowed.
struct ProgramLaunch {
  const wire::ExecRequest& request;
  const wire::GuestConfig& config;
  const DescriptorLimit& descriptors;
  const Ends& ends;
  // Closed by a successful start. A failed one writes an ExecExit as JSON first.
  const Fd& report;
  const Fd* changes = nullptr;  // for the builtin of that name
};

// The child's side of an exec, from fork to exec (or to the end of a builtin): finds out who the user is, takes its
// descriptors and terminal, becomes the user, enters the directory, and runs. All that touches the guest's files
// happens here and not in init, because a hostile file system may block the process that touches it for ever.
[[noreturn]] void run_program(const ProgramLaunch& launch);

}  // namespace sbx::guest
