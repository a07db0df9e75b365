// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

// The modules of a virtual machine's kernel that are loaded on demand: bridge, veth and what iptables asks
// for, when a dockerd starts in the guest; tun, wireguard. A kernel that wants a module runs a program,
// /sbin/modprobe, which a template need not have. Here that program is sandbox-init itself, under the name of modprobe.
// It finds the modules in wire::kModulesTarget, where the backend shares the kernel's own directory of them: what
// is not asked for costs no more than that mount.
namespace sbx::guest {

inline constexpr const char* kModprobe = "/run/sandbox/modprobe";

// Tells the kernel of this program (/proc/sys/kernel/modprobe), and puts it where it can be run, by iptables too.
// The guest's root (CAP_SYS_ADMIN) may tell it of another.
Result<> offer_modules();

// Whether this process was started as modprobe.
bool is_modprobe(int argc, char** argv);

// Loads what the words say, as the kernel ("-q -- NAME") or iptables ("NAME -q") asks for it: a module or an alias,
// with all that it needs. Returns the exit status.
int modprobe(int argc, char** argv);

}  // namespace sbx::guest
