// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "wire/guest.h"

namespace sbx::guest {

// Tells the guest's git who commits, in /etc/gitconfig: the weakest place, so that what the agent or a repository says
// is stronger. A file there that is not ours is left alone. `directory`: as in OwnRoot::open.
Result<> ensure_git_identity(const wire::GitIdentity& identity, const std::string& directory = "");

}  // namespace sbx::guest
