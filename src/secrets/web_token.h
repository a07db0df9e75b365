// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/json_fwd.h"

namespace sbx::secrets {

// The claims of a JSON Web Token, unverified: for what a program wants to know of its own token. One that cannot be
// read has none.
Json claims_of(std::string_view token);

// A token with these claims and no signature, for programs that read it and do not check.
std::string unsigned_token(const Json& claims, const std::string& in_place_of_signature);

}  // namespace sbx::secrets
