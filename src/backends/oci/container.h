// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace sbx::backends::oci {

// The container backend: an OCI runtime, always with a user namespace. `runtimes` are tried in order; the first that is
// installed and accepts this host's cgroups is used.
std::unique_ptr<Backend> make_container(std::string name, std::vector<std::string> runtimes);

}  // namespace sbx::backends::oci
