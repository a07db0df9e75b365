// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sbx::archive {

// A name from an archive, taken apart. Empty for "." (the destination itself). Refuses absolute names, "..", NUL,
// components over 255 bytes and names over kLongestName.
Result<std::vector<std::string>> components_of(std::string_view name);

}  // namespace sbx::archive
