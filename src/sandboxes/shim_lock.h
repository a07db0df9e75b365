// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "sandboxes/shim.h"

// vm/<name>/shim.lock answers whether a shim lives, also one that does not serve its socket yet and whose daemon is
// dead: the shim inherits the open, locked file, so the kernel lets go of the lock exactly when it ends.
namespace sbx::sandboxes {

// The number that the lock has in the shim.
inline constexpr int kLockInShim = 3;

// The locked file, to be passed to a new shim. kConflict: a shim lives.
Result<Fd> take_shim_lock(const std::string& state_directory);

// Writes the caller's pid into its kLockInShim. Async-signal-safe; returns 0 or an errno.
int sign_shim_lock();

// The shim that holds the lock; null if there is none. kConflict: there is one that has not signed yet, because its
// daemon was killed as it forked; that is a matter of a moment.
Result<std::shared_ptr<const ShimProcess>> living_shim(const std::string& state_directory);

}  // namespace sbx::sandboxes
