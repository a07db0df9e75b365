// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/system.h"

namespace sbx::wire {

void describe(Members& members, Version& version) {
  members.required("version", version.version);
  members.required("commit", version.commit);
  members.required("pid", version.pid);
  members.required("started_at", version.started_at);
}

void describe(Members& members, Reset& reset) { members.required("removed", reset.removed); }

}  // namespace sbx::wire
