// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "ca/authority.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <memory>

namespace sbx::ca {
namespace {

template <auto free>
struct Freed {
  template <class T>
  void operator()(T* pointer) const {
    free(pointer);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO_free_all>>;

constexpr long kDay = 24 * 60 * 60;
constexpr long kValidity = 3650 * kDay;
constexpr std::size_t kLongestCommonName = 64;  // RFC 5280, ub-common-name

Failure openssl_failed(const std::string& doing) {
  std::array<char, 256> text{};
  ERR_error_string_n(ERR_get_error(), text.data(), text.size());
  return fail(Code::kInternal, doing + ": " + text.data());
}

bool set_serial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7f) | 0x40);  // positive, and never with a leading zero
  const std::unique_ptr<BIGNUM, Freed<BN_free>> number(
      BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
  return number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

bool set_names(X509* certificate, const std::string& name) {
  const std::string common = ("sandboxd Proxy CA " + name).substr(0, kLongestCommonName);
  X509_NAME* subject = X509_get_subject_name(certificate);
  return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(common.data()),
                                    static_cast<int>(common.size()), -1, 0) == 1 &&
         X509_set_issuer_name(certificate, subject) == 1;
}

bool add_extension(X509* certificate, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool fill(X509* certificate, const std::string& name, EVP_PKEY* key) {
  return X509_set_version(certificate, X509_VERSION_3) == 1 && set_serial(certificate) &&
         set_names(certificate, name) && X509_gmtime_adj(X509_getm_notBefore(certificate), -kDay) != nullptr &&
         X509_gmtime_adj(X509_getm_notAfter(certificate), kValidity) != nullptr &&
         X509_set_pubkey(certificate, key) == 1 &&
         add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
         add_extension(certificate, NID_key_usage, "critical,keyCertSign") &&
         add_extension(certificate, NID_subject_key_identifier, "hash");
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

}  // namespace sbx::ca
