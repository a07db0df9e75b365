// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "secrets/secret.h"

namespace sbx::secrets {

// The secrets that the daemon was started with, in variables that services have (services.h).
using EnvironmentSecrets = std::map<std::string, std::shared_ptr<const Secret>>;

// Takes them out of this process' environment, and wipes what they were there: shims would inherit them otherwise, and
// /proc/PID/environ would show them. Before the first thread.
EnvironmentSecrets take_environment_secrets();

}  // namespace sbx::secrets
