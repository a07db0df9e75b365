// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/adding.h"

#include <gtest/gtest.h>

namespace sbx::builds {
namespace {

using namespace std::string_view_literals;

TEST(Adding, AnAddressIsOfHttp) {
  EXPECT_TRUE(is_address("https://example.com/a.tar.gz"));
  EXPECT_TRUE(is_address("http://example.com/a"));
  EXPECT_FALSE(is_address("file:///etc/shadow"));
  EXPECT_FALSE(is_address("https.txt"));
}

TEST(Adding, TheNameIsTheLastPartOfThePath) {
  EXPECT_EQ(name_in_address("https://example.com/v1/tool.tar.gz?token=/x#/y").value(), "tool.tar.gz");
  for (const char* address : {"https://example.com", "https://example.com/", "https://example.com/a/",
                              "https://example.com/?f=a", "https://example.com/a/..", "https://example.com/."})
    EXPECT_FALSE(name_in_address(address)) << address;
}

// What looks like an option stays an address.
TEST(Adding, TheAddressIsNoOption) {
  const auto command = fetch_command("https://example.com/a", "/tmp/a");
  EXPECT_EQ(command[command.size() - 2], "--");
  EXPECT_EQ(command.back(), "https://example.com/a");
}

TEST(Adding, AnArchiveIsKnownByItsContent) {
  EXPECT_TRUE(looks_like_archive("\x1f\x8b\x08"sv));
  EXPECT_TRUE(looks_like_archive("BZh9"));
  EXPECT_TRUE(looks_like_archive("\xfd\x37\x7a\x58\x5a\x00"sv));
  EXPECT_TRUE(looks_like_archive("\x28\xb5\x2f\xfd"));
  EXPECT_TRUE(looks_like_archive(std::string(257, '\0') + "ustar"));
  EXPECT_FALSE(looks_like_archive(std::string(256, '\0') + "ustar"));
  EXPECT_FALSE(looks_like_archive("#!/bin/sh\n"));
  EXPECT_FALSE(looks_like_archive(""));
}

}  // namespace
}  // namespace sbx::builds
