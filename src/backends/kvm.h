// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "backends/backend.h"

namespace sbx::backends {

// KVM by the processor's flags (in /proc/cpuinfo) and by whether /dev/kvm opens: the node alone may be there on hosts
// that cannot run a kernel with it. Never worse than a warning, because there is emulation.
Check kvm_check(std::string_view cpuinfo, bool is_arm, bool node_opens);

// The same for this host and user.
Check kvm_check();

// Whether machines can run on this host's processor itself, and not only emulated.
bool hardware_kvm();

}  // namespace sbx::backends
