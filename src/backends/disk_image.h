// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "backends/mkfs.h"
#include "base/result.h"

namespace sbx::backends {

// A sandbox's writable disk: a sparse file with an empty ext4 that takes less than 1 MB at first, copied from a blank
// one of that size, which is made once in <cache_directory>/disks and that no guest ever sees. One that is there is
// left as it is, whatever its size: it holds the sandbox's work. Nothing is left to initialise for the kernel that
// mounts it; it should do so with `discard`, so that the host gets back what is deleted.
//
// A microVM's disk is written to by a guest's kernel, which could have written anything: nothing on the host ever
// parses it, no mount, no fsck, no resize. A container's is written to by the host's own kernel only
// (oci/writable_layer.h).
Result<> ready_disk(const std::string& path, std::int64_t bytes, const std::string& cache_directory,
                    Survives what = Survives::kPowerCut);

}  // namespace sbx::backends
