// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "guest/boot/accounts.h"

namespace sbx::guest {

// SECURITY: what the calling process has in its memory and descriptors, until it executes a program, is not for others
// in the guest: only a holder of CAP_SYS_PTRACE may trace it, or take its descriptors (pidfd_getfd, /proc/PID/fd). The
// guest's root has that with `exec --privileged` only. Inherited by what is forked.
Result<> hide_from_tracers();

// Turns the calling process (a fork of init, about to run a program) into this user, for good. Init has more
// capabilities than a program gets: the bounding set is cut to a table of what sudo, package managers and ordinary
// servers need, before the user changes, so that no set-user-id program can bring the others back. `privileged` leaves
// it whole. Root keeps the capabilities of the bounding set, every other user has none; none are inheritable. From
// then on it has no more rights than others of that user have, and so it hides from them (see above).
Result<> become(const Identity& identity, bool privileged);

// For a thread whose children are to become() a user, and never privileged: cuts its bounding set, which they
// inherit, so that each has only to look.
Result<> limit_children();

}  // namespace sbx::guest
