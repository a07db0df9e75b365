// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace sbx::images {

// What is being done now. `total` is 0 when unknown; the unit is the step's own (packages, bytes). It is called on the
// thread that asked, at most a few times a second.
using Progress = std::function<void(std::string_view step, std::int64_t done, std::int64_t total)>;

}  // namespace sbx::images
