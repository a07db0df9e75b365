// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "guest/accounts.h"

namespace sbx::guest {

// Turns the calling process (a fork of init, about to run a program) into this user, for good. Init has more
// capabilities than a program gets: the bounding set is cut to a table of what sudo, package managers and ordinary
// servers need, before the user changes, so that no set-user-id program can bring the others back. `privileged` leaves
// it whole. Root keeps the capabilities of the bounding set, every other user has none; none are inheritable.
Result<> become(const Identity& identity, bool privileged);

// For a thread whose children are to become() somebody, and never privileged: cuts its bounding set, which they
// inherit, so that each has only to look.
Result<> limit_children();

}  // namespace sbx::guest
