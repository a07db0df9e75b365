// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "secrets/services.h"

namespace sbx::secrets {

// What of a secret goes into requests. kInvalid: the value is not what its form says, or no field can carry it.
Result<std::string> token_of(ValueForm form, std::string_view value);

}  // namespace sbx::secrets
