// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "policy/rules.h"

// proxy-config.json: the network policy of a sandbox, and of those still to be made. docs/network-policy.md is its
// manual.
namespace sbx::sandboxes {

// The rules of new sandboxes. A file that is not there is made with the default rules, and never written to again;
// where it cannot be made they hold without it. A bad one is an error that names the file and the key.
Result<policy::Rules> rules_of_new_sandboxes(const std::string& path);

// The rules of a sandbox. SECURITY: no file is an error, too; what it said may have been less than the default rules.
Result<policy::Rules> read_policy_file(const std::string& path);
Result<> write_policy_file(const std::string& path, const policy::Rules& rules);

}  // namespace sbx::sandboxes
