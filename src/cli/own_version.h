// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sbx::cli {

std::string_view own_version();  // "v0.12.0"
std::string_view own_commit();   // 40 hexadecimal digits

}  // namespace sbx::cli
