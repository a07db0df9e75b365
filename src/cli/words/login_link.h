// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sbx::cli {

// A page that a program in a sandbox wants to be opened, usually to log in.
struct LoginLink {
  std::string address;  // of printable ASCII, as it may be shown
  std::uint16_t port =
      0;  // on which the program waits, on its localhost, for the page to send the browser back; 0: none
};

// SECURITY: the guest has written it. Nothing but http and https, nothing that a terminal or a shell could act on; a
// port below 1024 is none that a login waits on. Nothing: it is no such address.
std::optional<LoginLink> parse_login_link(std::string_view address);

}  // namespace sbx::cli
