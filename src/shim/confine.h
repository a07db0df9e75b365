// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"

namespace sbx::shim {

// Gives up for ever what a serving shim does not need: capabilities, new privileges, as root the user id (it becomes
// `id`, which is outside every guest's range), and every system call but those of a relay. Fails closed: a shim that
// cannot be confined must not serve.
Result<> confine(std::uint32_t id);

}  // namespace sbx::shim
