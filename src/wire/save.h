// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/members.h"

namespace sbx::wire {

// POST /sandboxes/{name}/save.
struct SaveRequest {
  std::string tag;  // the name of the template: "org/box:1"
};
void describe(Members& members, SaveRequest& request);

// Its answer.
struct Saved {
  std::string name;    // of the template, as docker shows it
  std::string digest;  // "sha256:..."
};
void describe(Members& members, Saved& saved);

}  // namespace sbx::wire
