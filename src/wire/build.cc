// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/build.h"

namespace sbx::wire {

void describe(Members& members, TemplateBuild& build) {
  members.required("tag", build.tag);
  members.optional("file", build.file);
  members.optional("target", build.target);
  members.optional("arguments", build.arguments);
  members.optional("anew", build.anew);
}

void describe(Members& members, BuildOutput& output) { members.required("text", output.text); }

}  // namespace sbx::wire
