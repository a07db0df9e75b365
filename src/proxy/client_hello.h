// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sbx::proxy {

// The first bytes of a connection. More than this a ClientHello may not have.
inline constexpr std::size_t kLargestHello = 32u << 10;

// What a TLS client says before anything is encrypted. Views into the bytes it was read from would dangle: it owns.
struct ClientHello {
  std::optional<std::string> server_name;  // SNI, as sent
  std::vector<std::string> protocols;      // ALPN
};

// Nothing: more bytes are needed. It may be spread over several records. Fails on what no TLS library sends: lengths
// that do not add up, two server names, a server name with a zero in it.
Result<std::optional<ClientHello>> read_client_hello(std::string_view bytes);

}  // namespace sbx::proxy
