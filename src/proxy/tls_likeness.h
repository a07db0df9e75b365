// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sbx::proxy {

enum class Likeness { kNo, kUnclear, kYes };

// Whether some TLS server may take these for the beginning of TLS. Servers are lenient: some overlook the version of a
// record, an alert before the hello or an empty record, some still understand a hello of SSL 2. All of that is TLS
// here, and most of it is then refused (client_hello.h), so that it never counts as a protocol that is not TLS.
Likeness likeness_to_tls(std::string_view bytes);

}  // namespace sbx::proxy
