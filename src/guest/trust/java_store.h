// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::guest {

// Debian's Java, of whatever version, trusts what is in here.
inline constexpr const char* kJavaStore = "/etc/ssl/certs/java/cacerts";

// A store of Java's (JKS) with this authority (PEM) in it, in the place of another one of ours, if there is one. Its
// name there is Debian's for the file /etc/ssl/certs/proxy-ca.pem, so that a later update of Debian's finds it.
// Big-endian:
//
//   u32 0xfeedfeed, u32 2 (version), u32 count, entries, SHA-1 of ("changeit" in UTF-16, "Mighty Aphrodite", all
//   before) entry: u32 2 (a certificate), u16 length and name, u64 milliseconds, u16 length and "X.509", u32 length and
//   DER
//
// A store of another kind, with private keys in it, or with another password is left to its owner: an error.
Result<std::string> with_authority(std::string_view store, std::string_view certificate, std::int64_t milliseconds);

// A store of all certificates in a bundle (PEM), for a Java that has one of its own and is told of this one.
std::string java_store_of(std::string_view bundle, std::int64_t milliseconds);

}  // namespace sbx::guest
