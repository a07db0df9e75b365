// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::guest {

// Whether a driver has looked at its devices when its module is in.
enum class Probe { kFinished, kAsynchronously };

// Into the kernel; one that is there already will do. By its name one that is compressed (not .ko) is told.
Result<> insert_module(const Fd& file, const std::string& name, Probe probe = Probe::kFinished);

}  // namespace sbx::guest
