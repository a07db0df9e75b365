// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "proxy/asking.h"

namespace sbx::proxy {
namespace {

using testing::Asking;

struct Formed {
  const char* name;
  void (*change)(http::RequestHead& head);
  const char* fault;  // empty: none
};

void PrintTo(const Formed& formed, std::ostream* out) { *out << formed.name; }

const Formed kFormed[] = {
    {"AsItShouldBe", [](auto&) {}, ""},
    {"ItsOwnScheme", [](auto& head) { head.scheme = "http"; }, ""},
    {"AnotherScheme", [](auto& head) { head.scheme = "https"; }, "another scheme than the connection's"},
    {"NoSchemeAtAll", [](auto& head) { head.scheme = "ftp"; }, "another scheme than the connection's"},
    {"Connect", [](auto& head) { head.method = "CONNECT"; }, "CONNECT inside a connection"},
    {"Fragment", [](auto& head) { head.path = "/#a"; }, "a fragment in the target"},
    {"NoSlash", [](auto& head) { head.path = "a"; }, "bad target"},
    {"NoPath", [](auto& head) { head.path = ""; }, "bad target"},
    {"StarForGet", [](auto& head) { head.path = "*"; }, "bad target"},
    {"StarForOptions", [](auto& head) { head.method = "OPTIONS", head.path = "*"; }, ""},
    {"NoHost", [](auto& head) { head.authority.reset(); }, "no Host"},
    {"AnEmptyHostIsOfAnotherName", [](auto& head) { head.authority = ""; }, ""},
    {"User", [](auto& head) { head.authority = "me@good.test"; }, "a user in the authority"},
    {"UserInTheUri", [](auto& head) { head.second_authority = "me:x@good.test"; }, "a user in the authority"},
};

class CheckForm : public ::testing::TestWithParam<Formed> {};

TEST_P(CheckForm, SaysWhatIsWrong) {
  Asking asking;
  GetParam().change(asking.head);
  const Refusal refusal = check_form({asking.origin, asking.standing}, asking.head);
  EXPECT_EQ(refusal ? refusal->detail : "", GetParam().fault);
  EXPECT_EQ(refusal ? refusal->reason : policy::Reason::kMalformed, policy::Reason::kMalformed);
}

INSTANTIATE_TEST_SUITE_P(Table, CheckForm, ::testing::ValuesIn(kFormed),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(CheckFormInsideTls, WantsHttps) {
  Asking asking;
  asking.origin.encrypted = true;
  asking.head.scheme = "http";
  EXPECT_EQ(asking.refused_by(check_form), "<well-formed>");
  asking.head.scheme = "https";
  EXPECT_EQ(asking.refused_by(check_form), "");
}

}  // namespace
}  // namespace sbx::proxy
