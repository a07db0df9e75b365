// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "guest/boot/accounts.h"
#include "wire/guest.h"

namespace sbx::guest {

// Writes the page for the model at the first start of a sandbox, unless there is a file already: whatever became of it
// later, a change or its removal, was the user's or the agent's will. In the agent's home it is the agent's. A place on
// a mount of the user's is left alone. `directory`: as in OwnRoot::open.
Result<> ensure_guidance(const wire::GuestFile& page, const Account& agent, const std::string& directory = "");

}  // namespace sbx::guest
