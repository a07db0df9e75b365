// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "ca/authority.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/format.h"
#include "ca/openssl.h"

namespace sbx::ca {
namespace {

constexpr long kAuthorityValidity = 3650 * kDay;

bool set_names(X509* certificate, const std::string& name) {
  const std::string common = ("sandboxd Proxy CA " + name).substr(0, kLongestCommonName);
  X509_NAME* subject = X509_get_subject_name(certificate);
  return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(common.data()),
                                    static_cast<int>(common.size()), -1, 0) == 1 &&
         X509_set_issuer_name(certificate, subject) == 1;
}

bool fill(X509* certificate, const std::string& name, EVP_PKEY* key) {
  return X509_set_version(certificate, X509_VERSION_3) == 1 && set_serial(certificate) &&
         set_names(certificate, name) && X509_gmtime_adj(X509_getm_notBefore(certificate), -kDay) != nullptr &&
         X509_gmtime_adj(X509_getm_notAfter(certificate), kAuthorityValidity) != nullptr &&
         X509_set_pubkey(certificate, key) == 1 &&
         add_extension(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
         add_extension(certificate, certificate, NID_key_usage, "critical,keyCertSign") &&
         add_extension(certificate, certificate, NID_subject_key_identifier, "hash");
}

std::string content_of(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return std::string(data, static_cast<std::size_t>(size));
}

}  // namespace

Result<Authority> make_authority(const std::string& name) {
  const Key key(EVP_EC_gen("P-256"));
  if (!key) return openssl_failed("make a key");
  const Certificate certificate(X509_new());
  if (!certificate || !fill(certificate.get(), name, key.get())) return openssl_failed("make a certificate");
  if (X509_sign(certificate.get(), key.get(), EVP_sha256()) == 0) return openssl_failed("sign a certificate");
  const Memory public_part(BIO_new(BIO_s_mem()));
  const Memory secret_part(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(public_part.get(), certificate.get()) != 1 ||
      PEM_write_bio_PKCS8PrivateKey(secret_part.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return openssl_failed("encode a certificate");
  return Authority{content_of(public_part.get()), content_of(secret_part.get())};
}

Result<std::string> subject_hash(const std::string& certificate) {
  const Memory memory(BIO_new_mem_buf(certificate.data(), static_cast<int>(certificate.size())));
  const Certificate read(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  if (!read) return openssl_failed("read a certificate");
  return sbx::format("{:08x}", X509_subject_name_hash(read.get()));
}

}  // namespace sbx::ca
