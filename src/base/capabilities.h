// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

namespace sbx {

// All of them, for good unless the process may still execute a program that gives it some: refuse new privileges, too.
Result<> drop_capabilities();

}  // namespace sbx
