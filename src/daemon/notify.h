// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::daemon {

// Where the systemd that started us waits to hear that we serve (Type=notify; sd_notify(3)); empty: it does not. Taken
// out of the environment, because a child must not speak for us. Call it before the first thread is started.
std::string take_notify_socket();

// Does nothing when `socket` is empty.
Result<> notify_ready(const std::string& socket);

}  // namespace sbx::daemon
