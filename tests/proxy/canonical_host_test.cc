// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "proxy/asking.h"

namespace sbx::proxy {
namespace {

using testing::Asking;

TEST(CanonicalHost, IsTheOriginsOwnWhateverWasSaid) {
  Asking asking;
  asking.head.authority = "GOOD.test.:80";
  asking.head.second_authority = "good.test";
  EXPECT_EQ(asking.refused_by(set_canonical_host), "");
  EXPECT_EQ(asking.head.authority, "good.test");
  EXPECT_EQ(asking.head.second_authority, std::nullopt);
}

TEST(CanonicalHost, SaysAPortThatIsNotTheSchemes) {
  const auto host = [](const char* target, bool encrypted) {
    return canonical_host({*policy::parse_target(target), encrypted});
  };
  EXPECT_EQ(host("good.test:80", false), "good.test");
  EXPECT_EQ(host("good.test:80", true), "good.test:80");
  EXPECT_EQ(host("good.test:443", true), "good.test");
  EXPECT_EQ(host("[2001:db8::1]:8080", false), "[2001:db8::1]:8080");
}

}  // namespace
}  // namespace sbx::proxy
