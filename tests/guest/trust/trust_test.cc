// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/trust/trust.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

const std::string kOurCertificate = "-----BEGIN CERTIFICATE-----\nours\n-----END CERTIFICATE-----\n";
const std::string kTheirs = "-----BEGIN CERTIFICATE-----\ntheirs\n-----END CERTIFICATE-----\n";
const wire::GuestNetwork kNetwork{kOurCertificate, "0a1b2c3d"};

class TrustTest : public ::testing::Test {
 protected:
  std::string text(const std::string& path) { return read_file(root_ / path).value_or("nothing"); }
  std::string target(const std::string& link) { return std::filesystem::read_symlink(root_ / link); }
  void put(const std::string& path, const std::string& content) {
    ASSERT_TRUE(make_directories(root_ / path.substr(0, path.rfind('/'))));
    ASSERT_TRUE(write_file(root_ / path, content));
  }
  void trust_it() {
    const auto trusted = trust(kNetwork, root_.path());
    ASSERT_TRUE(trusted) << trusted.error().what();
  }

  testing::TemporaryDirectory root_;
};

TEST_F(TrustTest, TheBundleKeepsItsAuthoritiesAndGetsOurs) {
  put("etc/ssl/certs/ca-certificates.crt", kTheirs);
  trust_it();
  EXPECT_EQ(text("etc/ssl/certs/ca-certificates.crt"), kTheirs + "\n" + kOurCertificate);
  EXPECT_EQ(text("usr/local/share/ca-certificates/proxy-ca.crt"), kOurCertificate) << "for update-ca-certificates";
  EXPECT_EQ(target("etc/ssl/certs/0a1b2c3d.0"), "proxy-ca.pem") << "for those that look by hash";
  EXPECT_EQ(target("etc/ssl/certs/proxy-ca.pem"), "/usr/local/share/ca-certificates/proxy-ca.crt") << "for Java";
  trust_it();
  EXPECT_EQ(text("etc/ssl/certs/ca-certificates.crt"), kTheirs + "\n" + kOurCertificate) << "once";
}

TEST_F(TrustTest, ATemplateWithoutAStoreGetsOne) {
  trust_it();
  EXPECT_EQ(text("etc/ssl/certs/ca-certificates.crt"), kOurCertificate);
  EXPECT_EQ(text("etc/pki/tls/certs/ca-bundle.crt"), "nothing");
}

TEST_F(TrustTest, AnotherSystemsStoreIsAddedToAndCopied) {
  put("etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", kTheirs);
  ASSERT_TRUE(make_directories(root_ / "etc/pki/tls/certs"));
  ASSERT_EQ(
      ::symlink("../../ca-trust/extracted/pem/tls-ca-bundle.pem", (root_ / "etc/pki/tls/certs/ca-bundle.crt").c_str()),
      0);
  trust_it();
  EXPECT_EQ(text("etc/pki/tls/certs/ca-bundle.crt"), kTheirs + "\n" + kOurCertificate);
  EXPECT_EQ(text("etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"), kTheirs + "\n" + kOurCertificate)
      << "the link is still one";
  EXPECT_EQ(text("etc/ssl/certs/ca-certificates.crt"), kTheirs + "\n" + kOurCertificate) << "where the variables point";
}

TEST_F(TrustTest, ABundleWithoutALastNewlineStaysReadable) {
  put("etc/ssl/certs/ca-certificates.crt", "-----END CERTIFICATE-----");
  trust_it();
  EXPECT_EQ(text("etc/ssl/certs/ca-certificates.crt"), "-----END CERTIFICATE-----\n" + kOurCertificate);
}

TEST_F(TrustTest, WhatIsNoFileIsNotWrittenTo) {
  ASSERT_TRUE(make_directories(root_ / "etc/ssl/certs"));
  ASSERT_EQ(::mkfifo((root_ / "etc/ssl/certs/ca-certificates.crt").c_str(), 0644), 0);
  EXPECT_FALSE(trust(kNetwork, root_.path())) << "and nobody waits";
}

TEST_F(TrustTest, AStoreOfJavasThatIsOddIsLeftAloneAndTheRestIsDone) {
  put("etc/ssl/certs/java/cacerts", "odd");
  EXPECT_FALSE(trust(kNetwork, root_.path()));
  EXPECT_EQ(text("etc/ssl/certs/java/cacerts"), "odd");
  EXPECT_EQ(text("etc/ssl/certs/ca-certificates.crt"), kOurCertificate);
  EXPECT_TRUE(trust(kNetwork, root_.path())) << "and it is said once";
  EXPECT_EQ(text("etc/ssl/certs/ca-certificates.crt"), kOurCertificate);
}

TEST_F(TrustTest, WithoutAnAuthorityNothingIsTouched) {
  ASSERT_TRUE(trust({}, root_.path()));
  EXPECT_FALSE(exists(root_ / "etc"));
}

TEST_F(TrustTest, AHashThatIsNoneMakesNoLink) {
  ASSERT_TRUE(trust({kOurCertificate, "../../../x"}, root_.path()));
  EXPECT_FALSE(exists(root_ / "x.0"));
  EXPECT_EQ(text("usr/local/share/ca-certificates/proxy-ca.crt"), kOurCertificate);
}

}  // namespace
}  // namespace sbx::guest
