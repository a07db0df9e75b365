// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/fd.h"

namespace sbx::cli {

// Prints a warning, asks whether to go on, and reads one line. Anything but y or yes is a no.
bool user_agrees(const Fd& in, std::string_view warning);

}  // namespace sbx::cli
