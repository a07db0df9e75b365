// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sbx::backends::qemu {

// A module's file whose functions return by a plain return and not through the kernel's thunk. It is what a kernel that
// runs with mitigations=off makes of every module that it loads, one decoded instruction after the other. A module of
// which a single place to do it at does not look as expected comes back as it is, for the kernel to do it.
//
// SECURITY: without the thunk a processor that speculates can be trained to leave a function elsewhere. This is for
// emulated machines only, which do not, and which have mitigations=off for that reason (command_line.cc).
std::string with_plain_returns(std::string module);

}  // namespace sbx::backends::qemu
