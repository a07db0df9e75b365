// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sbx {

// SHA-256 as 64 hexadecimal digits, for programs that are linked without a library that has it.
std::string sha256_hex(std::string_view bytes);

}  // namespace sbx
