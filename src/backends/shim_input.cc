// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/shim_input.h"

namespace sbx::backends {

void describe(Members& members, ShimInput& input) {
  members.required("machine", input.machine);
  members.required("guest", input.guest);
  members.sparse("network", input.network);
}

}  // namespace sbx::backends
