// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "wire/exec.h"
#include "wire/guest.h"

namespace sbx::guest {

// What tells programs of the proxy and, if there is one, of the certificate authority. Those that listen to none of it
// reach the proxy all the same (guest/network/capture.h), and find the authority in the system's store.
void add_network_variables(const wire::GuestNetwork& network, wire::Environment& environment);

// Those of them that tell of the authority: `bundle` and `authority` are where its files are.
wire::Environment trust_variables(const std::string& bundle, const std::string& authority);

}  // namespace sbx::guest
