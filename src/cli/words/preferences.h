// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "wire/exec.h"

namespace sbx::cli {

// What programs in a sandbox should know of this user's terminal: time zone and locale and, with a terminal, whether it
// has all colours. Nothing else of our environment is passed on unasked.
wire::Environment terminal_preferences(bool tty);

// The name of the host's time zone by the link that /etc/localtime is: "Europe/Berlin"; empty if it does not tell.
std::string time_zone_of_link(const std::string& target);

}  // namespace sbx::cli
