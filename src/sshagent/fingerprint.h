// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sbx::sshagent {

// Of a public key, as ssh-add -l shows it: SHA256:...
std::string fingerprint(std::string_view key);

}  // namespace sbx::sshagent
