// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::guest {

// Has the programs of the system under `directory` ("" for the running one) ask init's name server, by an address that
// is not one of the loopback: a nested dockerd passes it on to its containers, which have a loopback of their own.
Result<> ensure_resolver(const std::string& directory = "");

}  // namespace sbx::guest
