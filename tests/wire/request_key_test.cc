// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/request_key.h"

#include <gtest/gtest.h>

namespace sbx::wire {
namespace {

TEST(RequestKey, ARandomOneHas128BitsAndIsAKey) {
  const RequestKey key = RequestKey::random();
  EXPECT_EQ(key.text().size(), 32u);
  EXPECT_TRUE(RequestKey::parse(key.text()));
  EXPECT_NE(RequestKey::random().text(), key.text());
}

TEST(RequestKey, IsBoundedInLengthAndAlphabet) {
  for (const std::string& good : {std::string("a"), std::string("job_42-B"), std::string(64, 'k')})
    EXPECT_EQ(RequestKey::parse(good)->text(), good);
  for (const std::string& bad : {std::string(), std::string(65, 'k'), std::string("a b"), std::string("\"a\""),
                                 std::string("a\n"), std::string("../a"), std::string("a\0b", 3)}) {
    const auto key = RequestKey::parse(bad);
    ASSERT_FALSE(key) << bad;
    EXPECT_EQ(key.error().code(), Code::kInvalid);
  }
}

}  // namespace
}  // namespace sbx::wire
