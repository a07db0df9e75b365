// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::backends::qemu {

// Whether the bytes begin as a gzip file does.
bool is_gzip(std::string_view bytes);

// What the bytes hold, by the program (lz4, gzip, xz, zstd, bzip2) that their first ones ask for. The whole of `bytes`
// must be one compressed file. kInvalid when no program is known for them, kUnavailable when it is not installed.
Result<std::string> decompressed(std::string_view bytes);

}  // namespace sbx::backends::qemu
