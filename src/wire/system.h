// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/members.h"

namespace sbx::wire {

// GET /version.
struct Version {
  std::string version;
  std::string commit;
  std::int64_t pid = 0;
  std::string started_at;  // RFC 3339
};
void describe(Members& members, Version& version);

// POST /reset: which sandboxes are gone.
struct Reset {
  std::vector<std::string> removed;
};
void describe(Members& members, Reset& reset);

}  // namespace sbx::wire
