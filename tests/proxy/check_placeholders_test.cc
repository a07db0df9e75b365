// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "proxy/asking.h"
#include "vault/basic.h"

namespace sbx::proxy {
namespace {

using testing::Asking;

const vault::Bindings kBindings = {{"good.test"}, {{"stand-in", {"good.test"}}}};

Refusal asked(Asking& asking) { return check_placeholders({asking.origin, asking.standing, &kBindings}, asking.head); }

TEST(CheckPlaceholders, PassOverTlsToTheirHost) {
  Asking asking;
  asking.origin.encrypted = true;
  asking.head.fields = {{"X-Key", "stand-in"}};
  EXPECT_FALSE(asked(asking));
}

TEST(CheckPlaceholders, AreRefusedInTheClearAndElsewhere) {
  Asking clear;
  clear.head.fields = {{"X-Key", "stand-in"}};
  ASSERT_TRUE(asked(clear));
  Asking elsewhere;
  elsewhere.origin = {*policy::parse_target("https://evil.test"), true};
  elsewhere.head.fields = {{"Authorization", vault::basic("user:stand-in")}};
  const Refusal refusal = asked(elsewhere);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->rule, "<placeholder>");
  EXPECT_EQ(refusal->reason, policy::Reason::kCredential);
  EXPECT_NE(refusal->detail.find("good.test"), std::string::npos);
  EXPECT_NE(refusal->detail.find("sandbox secret bindings"), std::string::npos);
}

TEST(CheckPlaceholders, AreNotLookedForWhereThereAreNoCredentials) {
  Asking asking;
  asking.head.fields = {{"X-Key", "stand-in"}};
  EXPECT_EQ(asking.refused_by(check_placeholders), "");
}

}  // namespace
}  // namespace sbx::proxy
