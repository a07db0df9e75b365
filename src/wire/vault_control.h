// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <variant>

#include "base/members.h"

// What the daemon says on vm/<name>/vault.sock (docs/life-of-a-connection.md).
namespace sbx::wire {

// The whole list of a sandbox's credentials, which replaces the one before. The list is in a sealed memory file, whose
// descriptor is attached (wire/credential_file.h): no secret is in a message. Answered when it holds.
struct SetCredentials {
  static constexpr std::string_view kOp = "credentials";
};

using VaultRequest = std::variant<SetCredentials>;
void describe(Members& members, SetCredentials& call);

}  // namespace sbx::wire
