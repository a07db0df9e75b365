// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace sbx::ca {

template <auto free>
struct Freed {
  template <class T>
  void operator()(T* pointer) const {
    free(pointer);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO_free_all>>;

inline constexpr long kDay = 24 * 60 * 60;
inline constexpr std::size_t kLongestCommonName = 64;  // RFC 5280, ub-common-name

// What OpenSSL says of its last error; forgets the others.
std::string openssl_error();
Failure openssl_failed(const std::string& doing);

bool set_serial(X509* certificate);  // random, 127 bits
bool add_extension(X509* certificate, X509* issuer, int nid, const char* value);

}  // namespace sbx::ca
