// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"

namespace sbx {

// All of them, for good unless the process may still execute a program that gives it some: refuse new privileges, too.
Result<> drop_capabilities();
Result<> drop_capabilities_but(std::span<const int> kept);  // CAP_*, of those that it has

// The same for what a program that we exec might get back. While we still may: a change of identity takes that away.
Result<> cut_bounding_set();

// Becomes this user and group, with no other group.
Result<> become(std::uint32_t id);

}  // namespace sbx
