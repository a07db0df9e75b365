// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/filters.h"

#include <gtest/gtest.h>

#include "proxy/asking.h"

namespace sbx::proxy {
namespace {

using testing::Asking;

TEST(Filters, AreAskedInTheOrderThatIsSafe) {
  std::vector<std::string_view> names;
  for (const RequestFilter& filter : request_filters()) names.push_back(filter.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"well-formed", "names agree", "policy", "hop-by-hop fields",
                                                  "placeholders", "canonical host"}));
}

TEST(Filters, TheFirstThatRefusesIsTheOneThatIsHeard) {
  Asking asking;
  asking.standing = {policy::Decision::kDeny, policy::Reason::kRule, "good.test", {}};
  asking.head.authority = "evil.test";
  asking.head.path = "/#a";
  EXPECT_EQ(asking.refused_by(ask_filters), "<well-formed>");
  asking.head.path = "/";
  EXPECT_EQ(asking.refused_by(ask_filters), "<names agree>");
  asking.head.authority = "good.test";
  EXPECT_EQ(asking.refused_by(ask_filters), "good.test");
}

TEST(Filters, WhatIsRefusedStaysAsItWas) {
  Asking asking;
  asking.standing = {};
  asking.head.fields = {{"Connection", "close"}};
  asking.head.authority = "GOOD.test";
  EXPECT_TRUE(ask_filters({asking.origin, asking.standing}, asking.head));
  EXPECT_EQ(asking.head.authority, "GOOD.test");
  EXPECT_EQ(asking.head.fields.size(), 1u);
}

TEST(Filters, AResponseLosesWhatIsForOneHop) {
  http::ResponseHead head{200, 5, {{"Connection", "X-Mine"}, {"X-Mine", "1"}, {"ETag", "\"1\""}}};
  filter(head);
  EXPECT_EQ(head.fields, (http::Headers{{"ETag", "\"1\""}}));
  EXPECT_EQ(head.length, 5u);
}

}  // namespace
}  // namespace sbx::proxy
