// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "ca/mint.h"

#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

namespace sbx::ca {
namespace {

class MintTest : public ::testing::Test {
 protected:
  bool verifies(X509* leaf) const {
    const std::unique_ptr<X509_STORE, Freed<X509_STORE_free>> store(X509_STORE_new());
    X509_STORE_add_cert(store.get(), mint_.authority());
    const std::unique_ptr<X509_STORE_CTX, Freed<X509_STORE_CTX_free>> context(X509_STORE_CTX_new());
    X509_STORE_CTX_init(context.get(), store.get(), leaf, nullptr);
    X509_STORE_CTX_set_purpose(context.get(), X509_PURPOSE_SSL_SERVER);
    return X509_verify_cert(context.get()) == 1;
  }

  Authority authority_ = *make_authority("box");
  Mint mint_ = *Mint::create(authority_);
};

TEST_F(MintTest, MakesCertificatesThatClientsAccept) {
  X509* leaf = *mint_.leaf("good.test", false);
  EXPECT_TRUE(verifies(leaf));
  EXPECT_EQ(X509_check_host(leaf, "good.test", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(leaf, "other.test", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_host(leaf, "www.good.test", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_ca(leaf), 0);
  EXPECT_EQ(X509_check_private_key(leaf, mint_.key()), 1);
}

TEST_F(MintTest, MakesCertificatesForAddresses) {
  EXPECT_EQ(X509_check_ip_asc(*mint_.leaf("203.0.113.7", true), "203.0.113.7", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(*mint_.leaf("2001:db8::1", true), "2001:db8::1", 0), 1);
}

TEST_F(MintTest, ANameThatIsTooLongForACommonNameIsStillWholeInTheOther) {
  const std::string host = std::string(63, 'a') + "." + std::string(63, 'b') + "." + std::string(63, 'c') + ".test";
  X509* leaf = *mint_.leaf(host, false);
  EXPECT_TRUE(verifies(leaf));
  EXPECT_EQ(X509_check_host(leaf, host.c_str(), 0, 0, nullptr), 1);
}

TEST_F(MintTest, KeepsTheLastUsed) {
  const X509* first = *mint_.leaf("good.test", false);
  for (int i = 0; i < 1500; ++i) {
    ASSERT_TRUE(mint_.leaf("host" + std::to_string(i) + ".test", false));
    EXPECT_EQ(*mint_.leaf("good.test", false), first);  // used all the time, so it stays
  }
}

TEST_F(MintTest, DoesNotWorkWithAnotherAuthoritysKey) {
  EXPECT_FALSE(Mint::create({authority_.certificate, make_authority("other")->key}));
  EXPECT_FALSE(Mint::create({"nonsense", authority_.key}));
}

}  // namespace
}  // namespace sbx::ca
