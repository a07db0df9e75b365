// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "wire/secret.h"

namespace sbx::secrets {

// What a binding must be: a service of the table, or exact hosts and a field. kInvalid says what is wrong.
Result<> check_binding(const wire::Binding& binding);
// kConflict: another one has a say in the same field of the same host, or the same variable, in the same sandboxes.
Result<> check_apart(const wire::Binding& binding, const std::vector<wire::Binding>& others);

// For people and the audit log: "x-key at api.example.com, sandbox box".
std::string description_of(const wire::Binding& binding);

// A format such as "Bearer {}" is what stands in front of the secret; nothing may stand after it.
std::string prefix_of(const wire::Binding& binding);

}  // namespace sbx::secrets
