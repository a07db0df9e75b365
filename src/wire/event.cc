// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/event.h"

namespace sbx::wire {

void describe(Members& members, Event& event) {
  members.optional("time", event.time);
  members.required("kind", event.kind);
  members.optional("sandbox", event.sandbox);
  members.optional("detail", event.detail);
}

}  // namespace sbx::wire
