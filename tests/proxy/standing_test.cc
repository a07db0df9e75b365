// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/standing.h"

#include <gtest/gtest.h>

#include "policy/edits.h"

namespace sbx::proxy {
namespace {

std::shared_ptr<const policy::Policy> policy_after(const std::vector<policy::Edit>& edits) {
  return std::make_shared<const policy::Policy>(*policy::edited(policy::default_rules(), edits));
}

RequestOrigin origin_of(const char* target, bool encrypted, std::optional<std::string> server_name) {
  return {*policy::parse_target(target), encrypted, std::move(server_name)};
}

TEST(Standing, IsAskedOnceForEachPolicy) {
  Standing standing(origin_of("good.test:80", false, std::nullopt));
  const auto open = policy_after({});
  const auto closed = policy_after({{"block-host", "good.test"}});
  const policy::Verdict* first = &standing.under(open);
  EXPECT_TRUE(first->allowed());
  const char* text = first->rule.data();
  EXPECT_EQ(standing.under(open).rule.data(), text) << "the same answer, not an equal one";
  EXPECT_EQ(standing.under(closed).rule, "good.test");
  EXPECT_TRUE(standing.under(open).allowed());
}

// A new policy may be made where the old one was.
TEST(Standing, AnEqualAddressIsNotAnEqualPolicy) {
  Standing standing(origin_of("good.test:80", false, std::nullopt));
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(standing.under(policy_after({})).allowed());
    EXPECT_FALSE(standing.under(policy_after({{"block-host", "good.test"}})).allowed());
  }
}

TEST(Standing, IsWhatThePolicySaysAnew) {
  const std::vector<std::vector<policy::Edit>> changes = {{},
                                                          {{"policy", "deny"}},
                                                          {{"block-host", "*.test"}},
                                                          {{"bypass-host", "good.test"}},
                                                          {{"allow-host", "good.test:80"}}};
  for (const bool encrypted : {false, true})
    for (const auto& name : {std::optional<std::string>("good.test"), std::optional<std::string>("evil.test"),
                             std::optional<std::string>()}) {
      const RequestOrigin origin = origin_of("good.test:443", encrypted, name);
      Standing standing(origin);
      for (const auto& edits : changes) {
        const auto policy = policy_after(edits);
        const policy::Verdict anew =
            encrypted ? policy->at_hello(origin.target, name) : policy->at_connect(origin.target);
        const policy::Verdict& kept = standing.under(policy);
        EXPECT_EQ(kept.decision, anew.decision);
        EXPECT_EQ(kept.rule, anew.rule);
      }
    }
}

}  // namespace
}  // namespace sbx::proxy
