// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/policy_edit.h"

namespace sbx::wire {

void describe(Members& members, PolicyEdit& edit) {
  members.required("name", edit.name);
  members.optional("value", edit.value);
}

void describe(Members& members, PolicyEdits& edits) {
  members.required("edits", edits.edits);
  members.check(!edits.edits.empty(), "\"edits\" is empty");
}

}  // namespace sbx::wire
