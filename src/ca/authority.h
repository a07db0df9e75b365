// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::ca {

// A sandbox's own certificate authority. Its certificate goes into the guest; its key never does.
struct Authority {
  std::string certificate;  // PEM
  std::string key;          // PEM, PKCS #8
};

// A fresh one: EC P-256, self-signed, "sandboxd Proxy CA <name>", valid for 10 years from a day ago (clocks differ),
// and good for signing leaf certificates and nothing else.
Result<Authority> make_authority(const std::string& name);

// By which OpenSSL finds a certificate (PEM) in a directory of them: eight hexadecimal digits.
Result<std::string> subject_hash(const std::string& certificate);

}  // namespace sbx::ca
