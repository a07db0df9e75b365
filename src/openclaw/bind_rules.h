// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "openclaw/settings.h"

namespace sbx::openclaw {

// SECURITY: directories of the system, of the host's services and of the user's credentials are not given to a session,
// also not to read: its commands are of people who need not be trusted. The daemon has rules of its own after these
// (sandboxes/mount_rules.h). kForbidden says why. `path` is absolute and without ".."; once more with its links
// resolved, because this looks at no file.
Result<> check_bind_source(const std::string& path, const std::string& home);

// Both paths absolute, ~ in the source expanded, and the source one that may be shared.
Result<SharedPath> checked_bind(SharedPath bind, const std::string& home, const std::string& key);

// "source:target[:ro|rw]", as docker.binds has them.
Result<SharedPath> parse_bind(const std::string& text, const std::string& home, const std::string& key);

}  // namespace sbx::openclaw
