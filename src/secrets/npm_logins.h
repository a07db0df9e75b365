// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "secrets/registry_login.h"

namespace sbx::secrets {

using FindVariable = std::function<std::optional<std::string>(const std::string& name)>;

// The logins in an .npmrc: //host/path/:_authToken, :_auth, or :username and :_password. ${NAME} stands for a variable;
// a line with one that is not set is left out. Of two for one host the one with the shorter path comes first.
std::vector<RegistryLogin> npm_logins(std::string_view npmrc, const FindVariable& variable);

}  // namespace sbx::secrets
