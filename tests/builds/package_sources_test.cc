// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/package_sources.h"

#include <gtest/gtest.h>

namespace sbx::builds {
namespace {

TEST(PackageSources, TheRegistryIsTheUsersOwn) {
  EXPECT_EQ(registry_in("fund=false\nregistry = https://mirror.example/npm/\n"), "https://mirror.example/npm/");
  EXPECT_EQ(registry_in("@scope:registry=https://other.example/\n"), "");
  EXPECT_EQ(registry_in(""), "");
}

TEST(PackageSources, NoLoginGoesWithAnAddress) {
  EXPECT_EQ(without_user("https://user:secret@mirror.example/npm/"), "https://mirror.example/npm/");
  EXPECT_EQ(without_user("https://user@mirror.example"), "https://mirror.example");
  EXPECT_EQ(without_user("https://mirror.example/@scope/x"), "https://mirror.example/@scope/x");
  EXPECT_EQ(without_user("mirror"), "mirror");
}

TEST(PackageSources, AHostIsFoundInAnAddress) {
  EXPECT_EQ(host_in("https://mirror.example/npm/"), "mirror.example");
  EXPECT_EQ(host_in("http://user:secret@mirror.example:8080/x"), "mirror.example");
  EXPECT_EQ(host_in("http://[fd00::1]:80/"), "[fd00::1]");
  EXPECT_EQ(host_in("file:/srv/debian"), "");
}

}  // namespace
}  // namespace sbx::builds
