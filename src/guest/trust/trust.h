// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "wire/guest.h"

namespace sbx::guest {

// The store of all authorities, as Debian has it; made where a template has none.
inline constexpr const char* kBundle = "/etc/ssl/certs/ca-certificates.crt";
// The sandbox's own authority alone.
inline constexpr const char* kAuthorityFile = "/usr/local/share/ca-certificates/proxy-ca.crt";

// Has the system under `directory` ("" for the running one) trust the authority, by the files that
// update-ca-certificates would write, which itself takes seconds: the bundles, the store of Java's
// (guest/trust/java_store.h), the certificate and its link by hash. A later update-ca-certificates, of a package's,
// keeps it. Does nothing where all of that is there already, by the last file.
Result<> trust(const wire::GuestNetwork& network, const std::string& directory = "");

}  // namespace sbx::guest
