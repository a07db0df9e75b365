// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sbx::guest {

// The 20 bytes of FIPS 180-4's SHA-1. For a format that has it (guest/trust/java_store.h): it protects nothing any
// more.
std::string sha1(std::string_view bytes);

}  // namespace sbx::guest
