// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/fd.h"

namespace sbx::cli::verbs {

// Shows the warning and waits for a line of standard input: true if it begins with y. It is read byte by byte, so that
// nothing behind it is taken from the program that reads next.
bool user_agrees(const Fd& in, std::string_view warning);

}  // namespace sbx::cli::verbs
