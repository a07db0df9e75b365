// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::guest {

// A small file of the guest's own system. On a second start its root may have put anything there: only regular files
// up to 1 MiB are read, and a pipe does not hold us up. What is written goes through guest/boot/own_root.h.
Result<std::string> read_etc_file(const std::string& path);

// The same of one that is open, without blocking; `path` is its name in errors.
Result<std::string> read_etc_file(const Fd& file, const std::string& path);

}  // namespace sbx::guest
