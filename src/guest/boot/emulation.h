// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sbx::guest {

// Whether this processor is a program of the host's (QEMU without KVM), to which everything is some twenty times as
// long. Allocates nothing and takes no lock.
bool is_emulated();

}  // namespace sbx::guest
