// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace sbx {

// How long a guest has to answer after its start: 30 s, or SANDBOXD_START_SECONDS (30 to 600) of the environment, for
// hosts whose processors are emulated or shared by many. The daemon, whose shim inherits it, waits a little longer.
std::chrono::seconds start_limit();

}  // namespace sbx
