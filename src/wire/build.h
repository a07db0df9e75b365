// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/members.h"
#include "wire/exec.h"

namespace sbx::wire {

// POST /templates/build: in the parameter `build`, as JSON. The body is the directory to build from, as a tar archive.
struct TemplateBuild {
  std::string tag;
  std::string file = "Dockerfile";  // its path in the archive
  std::string target;               // the stage to build; empty: the last
  Environment arguments;            // --build-arg
  bool anew = false;                // no step is taken from the cache
};
void describe(Members& members, TemplateBuild& build);

// What a step of a build has printed: an event of its answer.
struct BuildOutput {
  std::string text;
};
void describe(Members& members, BuildOutput& output);

}  // namespace sbx::wire
