// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "wire/guest.h"

namespace sbx::sandboxes {

// user.name and user.email of this user's own git configuration; empty where there is none, or no git. Only these two
// keys are ever asked for, and only of the global files: what a repository says is the repository's.
wire::GitIdentity git_identity();

}  // namespace sbx::sandboxes
