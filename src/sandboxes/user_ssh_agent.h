// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "base/shared_directories.h"

namespace sbx::sandboxes {

// A connection to the user's ssh-agent: `path`, which no link may lead through, is a socket of this user's, and a
// process of this user's listens on it.
Result<Fd> connect_to_ssh_agent(const std::string& path);

// For a new sandbox: an agent answers there, and the socket is in no directory that a sandbox can write to, where
// another could take its place.
Result<> check_ssh_agent(const std::string& path, const SharedDirectories& shared);

}  // namespace sbx::sandboxes
