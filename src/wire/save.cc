// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/save.h"

namespace sbx::wire {

void describe(Members& members, SaveRequest& request) {
  members.required("tag", request.tag);
  members.check(!request.tag.empty(), "\"tag\" is empty");
}

void describe(Members& members, Saved& saved) {
  members.required("name", saved.name);
  members.required("digest", saved.digest);
}

}  // namespace sbx::wire
