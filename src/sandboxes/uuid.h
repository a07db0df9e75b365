// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sbx::sandboxes {

// A random (version 4) UUID.
std::string new_uuid();

}  // namespace sbx::sandboxes
