// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json.h"

namespace sbx::backends::oci {

// The system calls of a guest, as an OCI seccomp section: an allow-list. What is not on it answers ENOSYS, so that
// programs take their fallback; new user namespaces answer EPERM.
Json seccomp_profile();

}  // namespace sbx::backends::oci
