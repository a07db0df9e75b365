// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::guest {

// A parameter that every module has: the kernel goes on while the driver looks at its devices.
inline constexpr const char* kProbeLater = "async_probe";

// Into the kernel, with these parameters; one that is there already will do, with those that it has. By its name one
// that is compressed (not .ko) is told.
Result<> insert_module(const Fd& file, const std::string& name, const char* parameters = "");

}  // namespace sbx::guest
