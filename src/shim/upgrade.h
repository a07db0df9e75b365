// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fd.h"

namespace sbx::shim {

// The answer to a client that asked to speak frames: 101, before the guest is asked anything. So a client that has seen
// no byte of an answer knows that nothing was done, and may ask again. One that is dead shows as closed on its link.
void answer_upgrade(const Fd& client);

}  // namespace sbx::shim
