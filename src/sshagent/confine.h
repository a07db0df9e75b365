// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

namespace sbx::sshagent {

// From now on the process relays packets on what it has, and opens, makes and starts nothing.
Result<> filter_signer();

}  // namespace sbx::sshagent
