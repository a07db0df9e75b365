// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/routes.h"

namespace sbx::api {

// That the connection can be handed to a shim, which speaks frames on it; then it has no time limits of ours any more.
// `otherwise`: the error if the client did not ask for that.
Result<> check_upgrade(Call& call, const char* otherwise);

}  // namespace sbx::api
