// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

// A login that waits for a browser: the program in the sandbox listens on a port of its localhost and has a page opened
// that will call it there. The browser is the user's, on the host. What opens the page in here (BROWSER) tells the
// terminal of it, in a control sequence (wire::kOpenLink) that terminals ignore and our client understands; without a
// terminal it prints the address.
namespace sbx::guest {

inline constexpr const char* kBrowser = "/run/sandbox/open";

// Puts it there. It is a script: a template without a shell has no use for it.
Result<> offer_browser(const std::string& path = kBrowser);

}  // namespace sbx::guest
