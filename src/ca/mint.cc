// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "ca/mint.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <ctime>

namespace sbx::ca {
namespace {

constexpr std::size_t kMostKept = 1024;
constexpr long kLeafValidity = 90 * kDay;
constexpr std::time_t kRenewal = 30 * kDay;  // before it ends

Memory memory_of(const std::string& text) {
  return Memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Clients read the alternative name; the common one is for people, and may not be long.
bool set_subject(X509* certificate, std::string_view host) {
  host = host.substr(0, kLongestCommonName);
  return X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(host.data()), static_cast<int>(host.size()),
                                    -1, 0) == 1;
}

bool fill(X509* certificate, X509* issuer, EVP_PKEY* key, std::string_view host, bool is_address) {
  const std::string name = (is_address ? "IP:" : "DNS:") + std::string(host);
  return X509_set_version(certificate, X509_VERSION_3) == 1 && set_serial(certificate) &&
         set_subject(certificate, host) && X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1 &&
         X509_gmtime_adj(X509_getm_notBefore(certificate), -kDay) != nullptr &&
         X509_gmtime_adj(X509_getm_notAfter(certificate), kLeafValidity) != nullptr &&
         X509_set_pubkey(certificate, key) == 1 &&
         add_extension(certificate, issuer, NID_basic_constraints, "critical,CA:FALSE") &&
         add_extension(certificate, issuer, NID_key_usage, "critical,digitalSignature") &&
         add_extension(certificate, issuer, NID_ext_key_usage, "serverAuth") &&
         add_extension(certificate, issuer, NID_authority_key_identifier, "keyid") &&
         add_extension(certificate, issuer, NID_subject_alt_name, name.c_str());
}

}  // namespace

Result<Mint> Mint::create(const Authority& authority) {
  Certificate certificate(PEM_read_bio_X509(memory_of(authority.certificate).get(), nullptr, nullptr, nullptr));
  Key authority_key(PEM_read_bio_PrivateKey(memory_of(authority.key).get(), nullptr, nullptr, nullptr));
  if (!certificate || !authority_key) return openssl_failed("read the certificate authority");
  if (X509_check_private_key(certificate.get(), authority_key.get()) != 1)
    return openssl_failed("the certificate authority and its key");
  Key key(EVP_EC_gen("P-256"));
  if (!key) return openssl_failed("make a key");
  return Mint(std::move(certificate), std::move(authority_key), std::move(key));
}

Result<X509*> Mint::leaf(std::string_view host, bool is_address) {
  const std::time_t now = std::time(nullptr);
  if (const auto it = by_host_.find(host); it != by_host_.end()) {
    kept_.splice(kept_.begin(), kept_, it->second);
    if (kept_.front().until > now) return kept_.front().certificate.get();
    by_host_.erase(it);
    kept_.pop_front();
  }
  TRY_ASSIGN(Certificate made, make(host, is_address));
  kept_.push_front({std::string(host), std::move(made), now + kLeafValidity - kRenewal});
  by_host_.emplace(kept_.front().host, kept_.begin());
  if (kept_.size() > kMostKept) {
    by_host_.erase(kept_.back().host);
    kept_.pop_back();
  }
  return kept_.front().certificate.get();
}

Result<Certificate> Mint::make(std::string_view host, bool is_address) const {
  Certificate certificate(X509_new());
  if (!certificate || !fill(certificate.get(), authority_.get(), key_.get(), host, is_address))
    return openssl_failed("make a certificate");
  if (X509_sign(certificate.get(), authority_key_.get(), EVP_sha256()) == 0)
    return openssl_failed("sign a certificate");
  return certificate;
}

}  // namespace sbx::ca
