// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An emulated processor that sleeps is a thread of the host that sleeps: a word from one processor to another costs as
// much as a small program. So in an emulated machine all that serves the host stays on the first, where the interrupts
// are (irqaffinity=0), and only the programs use them all. Elsewhere these do nothing.
namespace sbx::guest {

// This thread, and what it starts from here on.
void stay_on_first_processor();

// For a program, just before it is executed. Allocates nothing and takes no lock.
void use_all_processors();

}  // namespace sbx::guest
