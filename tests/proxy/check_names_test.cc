// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "proxy/asking.h"

namespace sbx::proxy {
namespace {

using testing::Asking;

TEST(CheckNames, BothPlacesAreForTheOrigin) {
  Asking asking;
  asking.head.second_authority = "GOOD.test.:80";
  EXPECT_EQ(asking.refused_by(check_names), "");
  for (const char* other : {"evil.test", "good.test:81", "", "good.test evil.test"}) {
    asking.head.authority = "good.test";
    asking.head.second_authority = other;
    EXPECT_EQ(asking.refused_by(check_names), "<names agree>") << other;
    std::swap(asking.head.authority, asking.head.second_authority);
    EXPECT_EQ(asking.refused_by(check_names), "<names agree>") << other;
  }
}

TEST(CheckNames, APortThatIsNotSaidIsTheSchemes) {
  Asking asking;
  asking.origin.target.port = 443;
  EXPECT_EQ(asking.refused_by(check_names), "<names agree>");
  asking.origin.encrypted = true;
  EXPECT_EQ(asking.refused_by(check_names), "");
}

}  // namespace
}  // namespace sbx::proxy
