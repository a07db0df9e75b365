// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "guest/boot/accounts.h"
#include "wire/exec.h"
#include "wire/guest.h"

namespace sbx::guest {

// The environment of a program, as "K=V".
using Variables = std::vector<std::string>;

// A clean base, then the sandbox's own; what the request brings comes on top of that. Later wins. Nothing of init's own
// environment gets in.
Variables environment_of(const wire::GuestConfig& config, const Identity& identity, bool tty);
void add(Variables& variables, const wire::Environment& more);
// What the user's own terminal has: below what the sandbox was given, and only what means something here. A locale or
// a time zone that this root does not have would make programs complain.
void add_preferences(Variables& variables, const wire::GuestConfig& config, const wire::Environment& preferences,
                     const std::string& root = "");

std::string_view value_of(const Variables& variables, std::string_view key);  // empty if it is not there

}  // namespace sbx::guest
