// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/trust/java_store.h"

#include <gtest/gtest.h>

#include "base/child.h"
#include "base/file.h"
#include "guest/trust/sha1.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

using namespace std::string_literals;

const std::string kPem = "-----BEGIN CERTIFICATE-----\nZG\nVy\n-----END CERTIFICATE-----\n";  // "der"

std::string sealed(const std::string& content, const std::string& password = "\0c\0h\0a\0n\0g\0e\0i\0t"s) {
  return content + sha1(password + "Mighty Aphrodite" + content);
}
const std::string kHead = "\xfe\xed\xfe\xed\0\0\0\2"s;
const std::string kOther = "\0\0\0\2\0\1a\0\0\0\0\0\0\0\1\0\5X.509\0\0\0\4none"s;
const std::string kOurEntry = "\0\0\0\2\0\x13"s + "debian:proxy-ca.pem\0\0\0\0\0\0\1\2\0\5X.509\0\0\0\3der"s;

std::string hexadecimal(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) out += "0123456789abcdef"[c >> 4 & 15], out += "0123456789abcdef"[c & 15];
  return out;
}

TEST(Sha1, IsThatOfTheStandardsExamples) {
  EXPECT_EQ(hexadecimal(sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hexadecimal(sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hexadecimal(sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(hexadecimal(sha1(std::string(1'000'000, 'a'))), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(JavaStore, GetsTheAuthorityBesideItsOthers) {
  EXPECT_EQ(with_authority(sealed(kHead + "\0\0\0\1"s + kOther), kPem, 258),
            sealed(kHead + "\0\0\0\2"s + kOther + kOurEntry));
  EXPECT_EQ(with_authority(sealed(kHead + "\0\0\0\0"s), kPem, 258), sealed(kHead + "\0\0\0\1"s + kOurEntry));
}

TEST(JavaStore, HasItOnceAndTheNewestOne) {
  const std::string store = sealed(kHead + "\0\0\0\2"s + kOther + kOurEntry);
  EXPECT_EQ(with_authority(store, kPem, 258), store);
  std::string old = kOurEntry;
  old.back() = 'x';
  EXPECT_EQ(with_authority(sealed(kHead + "\0\0\0\2"s + old + kOther), kPem, 258), store);
}

TEST(JavaStore, WhatIsNoSuchStoreIsLeftAlone) {
  const std::string good = kHead + "\0\0\0\1"s + kOther;
  for (const std::string& odd :
       {""s, "\xfe\xed"s, sealed("\xfe\xed\xfe\xee\0\0\0\2\0\0\0\0"s), sealed(kHead + "\0\0\0\2"s + kOther),
        sealed(kHead + "\0\0\0\0"s + kOther), sealed(kHead + "\xff\xff\xff\xff"s + kOther),
        sealed(kHead + "\0\0\0\1\0\0\0\1\0\1a"s), sealed(good.substr(0, good.size() - 1)), sealed(good, "other"),
        good + std::string(20, '\0')})
    EXPECT_FALSE(with_authority(odd, kPem, 0)) << hexadecimal(odd);
  EXPECT_FALSE(with_authority(sealed(good), "no certificate", 0));
}

TEST(JavaStore, IsMadeOfABundle) {
  const auto named = [](char number) {
    return "\0\0\0\2\0\x09"s + "sandbox-" + number + "\0\0\0\0\0\0\1\2\0\5X.509\0\0\0\3der"s;
  };
  EXPECT_EQ(java_store_of("# first\n" + kPem + "# second\n" + kPem, 258),
            sealed(kHead + "\0\0\0\2"s + named('1') + named('2')));
  EXPECT_EQ(java_store_of("", 258), sealed(kHead + "\0\0\0\0"s));
}

TEST(JavaStore, TheRealKeytoolReadsIt) {
  if (!find_program("keytool") || !exists(kJavaStore)) GTEST_SKIP() << "there is no Java on this host";
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(run({{"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-subj", "/CN=ours", "-keyout", directory / "key", "-out", directory / "crt"}}));
  const auto store = with_authority(*read_file(kJavaStore), *read_file(directory / "crt"), 0);
  ASSERT_TRUE(store) << store.error().what();
  ASSERT_TRUE(write_file(directory / "store", *store));
  const auto listed = run({{"keytool", "-list", "-v", "-keystore", directory / "store", "-storepass", "changeit",
                            "-alias", "debian:proxy-ca.pem"}});
  ASSERT_TRUE(listed);
  EXPECT_EQ(listed->exit.code, 0) << listed->out;
  EXPECT_NE(listed->out.find("Owner: CN=ours"), std::string::npos) << listed->out;
}

}  // namespace
}  // namespace sbx::guest
