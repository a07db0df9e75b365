// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// A directory whose files together may take so much and no more, kept by the file system: all of them, and what is made
// in it, belong to one project (FS_IOC_FSSETXATTR), and a project has a quota. In a user namespace no process may
// change whose project a file is, so a guest's root can neither leave it nor charge another's.
namespace sbx::backends::oci {

// Whether the file system of `directory` enforces quotas of projects, and we may set them. The error says why not.
Result<> project_quotas_work(const std::string& directory);

// Bounds an empty directory, or one that was bounded before, to `bytes` and to as many files as a disk of that size
// would have. Idempotent. `seed`: where the search for a project's number begins; a text that no other directory has.
Result<> bound_project(const std::string& directory, std::int64_t bytes, std::string_view seed);

// Takes the quota of the directory's project away, before the directory is removed. Success where there is no such
// directory, or no quota any more.
Result<> release_project(const std::string& directory);

}  // namespace sbx::backends::oci
