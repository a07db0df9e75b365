// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace sbx {

// Declared only, for headers that pass it on; base/json.h has all of it. Keys keep the order in which they were
// written, so that what we print is stable.
using Json = nlohmann::ordered_json;

}  // namespace sbx
