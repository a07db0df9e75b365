// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "ca/openssl.h"

#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>

namespace sbx::ca {

std::string openssl_error() {
  const unsigned long code = ERR_peek_last_error();
  const char* reason = ERR_reason_error_string(code);
  std::array<char, 256> text{};
  if (reason == nullptr) ERR_error_string_n(code, text.data(), text.size());
  ERR_clear_error();
  return reason != nullptr ? reason : text.data();
}

Failure openssl_failed(const std::string& doing) { return fail(Code::kInternal, doing + ": " + openssl_error()); }

bool set_serial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7f) | 0x40);  // positive, and never with a leading zero
  const std::unique_ptr<BIGNUM, Freed<BN_free>> number(
      BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
  return number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

bool add_extension(X509* certificate, X509* issuer, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, nid, value));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

}  // namespace sbx::ca
