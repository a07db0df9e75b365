// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::gate {

// Where a jailed process finds its directory.
inline constexpr const char* kJailedDirectory = "/network";

// Moves the calling process, which must have one thread, into a root of its own: what the C library needs to resolve
// names, read-only, and the gate's directory. No file of the user's is in it, no socket, no device, no /proc. As an
// ordinary user by way of a user namespace, in which it is only itself.
Result<> enter_jail(const std::string& directory, bool privileged);

// The same with that directory and nothing else.
Result<> enter_bare_jail(const std::string& directory, bool privileged);

// The same with nothing in it at all, for a process that opens nothing.
Result<> enter_empty_jail(bool privileged);

}  // namespace sbx::gate
