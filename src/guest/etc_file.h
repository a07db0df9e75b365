// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::guest {

// A small file of the guest's own system. On a second start its root may have put anything there: only regular files
// up to 1 MiB are read, and a pipe does not hold us up.
Result<std::string> read_etc_file(const std::string& path);

// The new content is there whole or not at all; the old file's mode and owner are kept, a new file gets `mode`.
// Nothing is synced to the disk, because every start of a sandbox waits for this: lost in a power cut, it is done
// again at the next start.
Result<> replace_etc_file(const std::string& path, std::string_view content, unsigned mode);

}  // namespace sbx::guest
