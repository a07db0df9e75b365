// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace sbx::backends {

inline constexpr std::int64_t kDefaultDisk = std::int64_t{64} << 30;
inline constexpr std::int64_t kSmallestDisk = std::int64_t{64} << 20;

// A machine's writable disk: a sparse file with an empty ext4 that takes 5 MB at first, copied from a blank one of that
// size, which is made once in <cache_directory>/disks and that no guest ever sees. One that is there is left as it is,
// whatever its size: it holds the sandbox's work. Nothing is left for the guest's kernel to initialise; it should mount
// it with `discard`, so that the host gets back what is deleted.
//
// Nothing on the host ever parses a disk that a guest has written to: no mount, no fsck, no resize. The guest could
// have written anything, and the guest's own kernel recovers the journal.
Result<> ready_disk(const std::string& path, std::int64_t bytes, const std::string& cache_directory);

}  // namespace sbx::backends
