// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sbx::backends::qemu {

// SANDBOXD_WITHOUT of the environment, "unsigned-modules,spare" say: which of the things that only make machines faster
// are off, so that ./bench probation can tell what each of them is worth. The daemon reads it, and its shims, which
// inherit it.
std::string_view switched_off();
bool without(std::string_view what);

}  // namespace sbx::backends::qemu
