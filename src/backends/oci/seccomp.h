// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/json.h"

namespace sbx::backends::oci {

// The system calls of a guest, as an OCI seccomp section: an allow-list. What is not on it answers ENOSYS, so that
// programs take their fallback; new user namespaces answer EPERM. One architecture only: each more costs the runtime
// milliseconds at every start, and a second system call table is a second way in.
Json seccomp_profile(const std::string& architecture);

inline constexpr const char* kNativeArchitecture =
#if defined(__aarch64__)
    "SCMP_ARCH_AARCH64";
#else
    "SCMP_ARCH_X86_64";
#endif

}  // namespace sbx::backends::oci
