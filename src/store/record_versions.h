// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json_fwd.h"
#include "base/result.h"

namespace sbx::store {

// Makes a record of an older version one of kRecordVersion, a step for each version. A newer one is left as it is, if
// this program can read it; if not, the error says so.
Result<> migrate(Json& record);

}  // namespace sbx::store
