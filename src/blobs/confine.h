// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

namespace sbx::blobs {

// From now on the process reads and writes files in its root, relays bytes on what it has, and makes pairs of sockets,
// which lead nowhere. It starts nothing and connects to nothing.
Result<> filter_cache();

}  // namespace sbx::blobs
