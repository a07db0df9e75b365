// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "proxy/asking.h"

namespace sbx::proxy {
namespace {

using testing::Asking;

TEST(CheckPolicy, PassesTheStandingVerdictOn) {
  Asking asking;
  EXPECT_EQ(asking.refused_by(check_policy), "");
  asking.standing = {policy::Decision::kDeny, policy::Reason::kRule, "good.test", {}};
  EXPECT_EQ(asking.refused_by(check_policy), "good.test");
  asking.standing = {};
  EXPECT_TRUE(check_policy({asking.origin, asking.standing}, asking.head)) << "what nobody has decided is a refusal";
}

}  // namespace
}  // namespace sbx::proxy
