// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace sbx::backends {

// For whom /dev/kvm opens. QEMU in its jail is not its caller: it has another user id, and of the caller's groups only
// what qemu_groups and the kernel leave it.
enum class KvmNode { kUnusable, kForCallerOnly, kForQemu };

// KVM by the processor's flags (in /proc/cpuinfo) and by whether /dev/kvm opens: the node alone may be there on hosts
// that cannot run a kernel with it. Never worse than a warning, because there is emulation.
Check kvm_check(std::string_view cpuinfo, bool is_arm, KvmNode node);

// The groups that a jailed QEMU gets from root, to open a node of this group with: that one, unless it is root's, which
// would be a privilege. An ordinary user's QEMU keeps the user's own.
std::vector<gid_t> qemu_groups(gid_t node_group);
// Whether a process in these groups, which owns nothing, may read and write a node of this mode and group.
bool opens_for(mode_t mode, gid_t node_group, const std::vector<gid_t>& groups);

// The same for this host and user.
Check kvm_check();

// Whether machines can run on this host's processor itself, and not only emulated.
bool hardware_kvm();

}  // namespace sbx::backends
