// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "secrets/registry_login.h"

namespace sbx::secrets {

// The user's logins at registries, as they are on this host now: docker's (docker_logins.h), then npm's (npm_logins.h),
// from the files that this process' environment means. docker-credential-* programs are run, and have ten seconds each.
// A file that is not there says nothing; one that is not this user's, or cannot be read, is left out, with a line in
// the log.
std::vector<RegistryLogin> read_host_logins();

}  // namespace sbx::secrets
