// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sbx {

// A random (version 4) UUID.
std::string new_uuid();

// Whether the text is one that new_uuid could have made.
bool is_uuid(std::string_view text);

}  // namespace sbx
