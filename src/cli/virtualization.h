// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "backends/backend.h"

// What a host needs for sandboxes that are virtual machines. None of it is needed for containers, so nothing here
// fails.
namespace sbx::cli {

// KVM by the processor's flags (in /proc/cpuinfo) and by whether /dev/kvm opens: the node alone may be there on hosts
// that cannot run a kernel with it.
backends::Check kvm_check(std::string_view cpuinfo, bool is_arm, bool node_opens);

// KVM, QEMU and virtiofsd of this host.
std::vector<backends::Check> virtualization_checks();

}  // namespace sbx::cli
