// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "store/record.h"
#include "wire/sandbox.h"

namespace sbx::sandboxes {

// What a request asks for that a sandbox does not have, in the user's words.
struct Difference {
  std::string option;  // --backend
  std::string asked;   // microvm
  std::string has;     // container
};

// Those that only a new sandbox can have: backend, template, workspaces, mounts, disk. What a request leaves empty is
// not asked for. `asked` is a checked_request().
std::vector<Difference> fixed_differences(const store::Record& record, const wire::CreateRequest& asked);
// Those that a sandbox can have from its next start on. `granted`: what the backend makes of what is asked for.
std::vector<Difference> limit_differences(const wire::Limits& has, const wire::Limits& granted);

// kConflict: names them all, and what to do.
Error must_be_made_anew(const std::string& name, const std::vector<Difference>& differences);
Error must_be_stopped(const std::string& name, const std::vector<Difference>& differences);

}  // namespace sbx::sandboxes
