// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "secrets/registry_login.h"

namespace sbx::secrets {

// What docker-credential-HELPER says to `get` of this server: JSON.
using AskHelper = std::function<Result<std::string>(const std::string& helper, const std::string& server)>;

// The logins in docker's config.json: those in "auths", and those that "credHelpers" and "credsStore" lead to. One that
// cannot be read or used is left out, with a line in the log: an identity token (OAuth) would be in a request's body.
//
// A registry's login goes to the registry's own host, which is also where most of them give out tokens. Docker Hub's
// goes to auth.docker.io only: there dockerd gets the tokens that it shows to registry-1.docker.io.
Result<std::vector<RegistryLogin>> docker_logins(std::string_view config, const AskHelper& ask);

}  // namespace sbx::secrets
