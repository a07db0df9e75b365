// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace sbx {

// So many bytes of the kernel's randomness, at most 256, as lower-case hexadecimal digits.
std::string random_hex(std::size_t bytes);

}  // namespace sbx
