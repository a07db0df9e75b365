// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <string>

#include "ca/authority.h"
#include "ca/openssl.h"

namespace sbx::testing {

struct Issued {
  ca::Certificate certificate;
  ca::Key key;
};

// The authority that the servers of the tests have their certificates from.
class Issuer {
 public:
  explicit Issuer(const std::string& name = "upstream") : authority_(*ca::make_authority(name)) {
    const ca::Memory certificate(BIO_new_mem_buf(authority_.certificate.data(), -1));
    const ca::Memory key(BIO_new_mem_buf(authority_.key.data(), -1));
    certificate_.reset(PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr));
    key_.reset(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
  }

  const std::string& roots() const { return authority_.certificate; }

  // `name` as in "DNS:example.com", valid for so many days from yesterday.
  Issued issue(const std::string& name, int days = 30) const {
    return make(name, days, certificate_.get(), key_.get());
  }
  static Issued sign_itself(const std::string& name) { return make(name, 30, nullptr, nullptr); }

 private:
  static Issued make(const std::string& name, int days, X509* issuer, EVP_PKEY* issuer_key) {
    Issued issued{ca::Certificate(X509_new()), ca::Key(EVP_EC_gen("P-256"))};
    X509* certificate = issued.certificate.get();
    X509_set_version(certificate, X509_VERSION_3);
    ca::set_serial(certificate);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>("server"), -1, -1, 0);
    X509_set_issuer_name(certificate, X509_get_subject_name(issuer != nullptr ? issuer : certificate));
    X509_gmtime_adj(X509_getm_notBefore(certificate), -2 * ca::kDay);
    X509_gmtime_adj(X509_getm_notAfter(certificate), (days - 1) * ca::kDay);
    X509_set_pubkey(certificate, issued.key.get());
    ca::add_extension(certificate, issuer != nullptr ? issuer : certificate, NID_subject_alt_name, name.c_str());
    X509_sign(certificate, issuer_key != nullptr ? issuer_key : issued.key.get(), EVP_sha256());
    return issued;
  }

  ca::Authority authority_;
  ca::Certificate certificate_;
  ca::Key key_;
};

}  // namespace sbx::testing
