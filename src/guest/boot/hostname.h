// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::guest {

// Makes the running system answer to this name: the kernel's host name (the runtime may have set it already, and we may
// not be allowed to), /etc/hostname, and lines for it and for localhost in /etc/hosts.
Result<> ensure_hostname(const std::string& hostname);

// Text to text: adds the lines that are missing.
std::string with_host_lines(std::string_view hosts, std::string_view hostname);

}  // namespace sbx::guest
