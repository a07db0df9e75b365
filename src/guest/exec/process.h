// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "guest/boot/descriptors.h"

namespace sbx::guest {

// Init's own ways with signals, whatever it was started with: all are as usual, only writing to a closed pipe is no
// more than an error. Before anything else.
void take_own_signals();

// Init's way with the processor where it is not one of many: it waits for a program to let go of it, or to have had its
// share. The end of a program is several events, and each would otherwise interrupt it, as it ends, for init to hear of
// that one. This thread, and what it starts from here on.
void never_preempt();

// Makes the calling process, a child of init's, one that has nothing of init's ways: the usual signals, umask, limit of
// descriptors and share of the processor, a session (and so a process group, which is what kSignal is sent to) of its
// own, and at most so many processes of its user (0: any number). Allocates nothing unless it fails.
Result<> start_afresh(std::int64_t most_processes, const DescriptorLimit& descriptors);

}  // namespace sbx::guest
