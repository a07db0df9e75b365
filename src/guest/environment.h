// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "guest/accounts.h"
#include "wire/exec.h"
#include "wire/guest.h"

namespace sbx::guest {

// The environment of one exec: a clean base, then the sandbox's own, then the request's; later wins. Nothing of init's
// own environment gets in.
wire::Environment environment_of(const wire::GuestConfig& config, const wire::ExecRequest& request,
                                 const Identity& identity);

std::string_view value_of(const wire::Environment& environment, std::string_view key);  // empty if it is not there
std::vector<std::string> as_strings(const wire::Environment& environment);              // "K=V"

}  // namespace sbx::guest
