// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace sbx::builds {

inline constexpr std::size_t kLargestDockerfile = 1u << 20;

// The text of a file in a tar archive on disk, by its path from the root. kNotFound: it has none.
Result<std::string> file_in_archive(const std::string& archive, const std::string& path, std::size_t most);

}  // namespace sbx::builds
