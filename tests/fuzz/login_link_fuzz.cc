// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cli/terminal/link_watch.h"
#include "cli/words/login_link.h"
#include "wire/session.h"

// A page that a program of the guest's wants to be opened: nothing that is shown of it can drive a terminal, and no
// port is one below 1024.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx;
  const std::string address(reinterpret_cast<const char*>(data), size);
  const auto link = cli::parse_login_link(address);
  if (link && (link->address != address || address.size() > wire::kLongestLink)) std::abort();
  if (link && link->port != 0 && link->port < 1024) std::abort();
  if (link)
    for (const unsigned char c : link->address)
      if (c <= 0x20 || c >= 0x7f) std::abort();
  cli::LinkWatch watch;
  const auto found = watch.feed("\033]" + std::string(wire::kOpenLink) + address + "\007");
  if (link && (found.size() != 1 || found[0] != address)) std::abort();
  return 0;
}
