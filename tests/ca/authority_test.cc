// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "ca/authority.h"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <array>
#include <memory>

namespace sbx::ca {
namespace {

struct Parsed {
  std::unique_ptr<X509, decltype(&X509_free)> certificate{nullptr, &X509_free};
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{nullptr, &EVP_PKEY_free};
};

Parsed parse(const Authority& authority) {
  Parsed parsed;
  BIO* memory = BIO_new_mem_buf(authority.certificate.data(), static_cast<int>(authority.certificate.size()));
  parsed.certificate.reset(PEM_read_bio_X509(memory, nullptr, nullptr, nullptr));
  BIO_free_all(memory);
  memory = BIO_new_mem_buf(authority.key.data(), static_cast<int>(authority.key.size()));
  parsed.key.reset(PEM_read_bio_PrivateKey(memory, nullptr, nullptr, nullptr));
  BIO_free_all(memory);
  return parsed;
}

std::string common_name(X509* certificate) {
  std::array<char, 128> text{};
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, text.data(), text.size());
  return text.data();
}

TEST(Authority, ItsSubjectHashIsTheOneOfOpenSsl) {
  const auto authority = make_authority("box");
  const Parsed parsed = parse(*authority);
  const auto hash = subject_hash(authority->certificate);
  ASSERT_TRUE(hash);
  EXPECT_EQ(hash->size(), 8u);
  EXPECT_EQ(std::stoul(*hash, nullptr, 16), X509_subject_name_hash(parsed.certificate.get()));
  EXPECT_FALSE(subject_hash("no certificate"));
}

TEST(Authority, IsASelfSignedCaThatSignsOnlyLeaves) {
  const auto authority = make_authority("box");
  ASSERT_TRUE(authority) << authority.error().what();
  const Parsed parsed = parse(*authority);
  ASSERT_TRUE(parsed.certificate && parsed.key);
  EXPECT_EQ(common_name(parsed.certificate.get()), "sandboxd Proxy CA box");
  EXPECT_EQ(X509_verify(parsed.certificate.get(), parsed.key.get()), 1);
  EXPECT_GT(X509_check_ca(parsed.certificate.get()), 0);
  EXPECT_EQ(X509_get_pathlen(parsed.certificate.get()), 0);
  EXPECT_EQ(X509_get_key_usage(parsed.certificate.get()), static_cast<unsigned>(KU_KEY_CERT_SIGN));
  EXPECT_EQ(EVP_PKEY_get_bits(parsed.key.get()), 256);
}

TEST(Authority, IsValidNowAndForTenYears) {
  const auto authority = make_authority("box");
  ASSERT_TRUE(authority);
  const Parsed parsed = parse(*authority);
  int days = 0;
  int seconds = 0;
  EXPECT_LT(X509_cmp_current_time(X509_get0_notBefore(parsed.certificate.get())), 0);
  ASSERT_EQ(ASN1_TIME_diff(&days, &seconds, nullptr, X509_get0_notAfter(parsed.certificate.get())), 1);
  EXPECT_GE(days, 3649);
}

TEST(Authority, EveryOneIsAnother) {
  const auto one = make_authority("box");
  const auto two = make_authority("box");
  ASSERT_TRUE(one && two);
  EXPECT_NE(one->key, two->key);
  EXPECT_NE(one->certificate, two->certificate);
}

TEST(Authority, TheLongestNameStillFits) {
  const auto authority = make_authority(std::string(63, 'n'));
  ASSERT_TRUE(authority) << authority.error().what();
  EXPECT_EQ(common_name(parse(*authority).certificate.get()).size(), 64u);
}

}  // namespace
}  // namespace sbx::ca
