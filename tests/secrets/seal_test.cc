// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/seal.h"

#include <gtest/gtest.h>

namespace sbx::secrets {
namespace {

const Secret kKey = Secret::copy_of(std::string(32, 'k'));

TEST(Seal, OpensWithItsKeyOnly) {
  const std::string sealed = seal(Secret::copy_of("the value"), kKey);
  EXPECT_EQ(sealed.find("the value"), std::string::npos);
  const auto plain = unseal(sealed, kKey);
  ASSERT_TRUE(plain) << plain.error().what();
  EXPECT_EQ(plain->view(), "the value");
  EXPECT_FALSE(unseal(sealed, Secret::copy_of(std::string(32, 'x'))));
}

TEST(Seal, NoByteCanBeChangedOrCutOff) {
  const std::string sealed = seal(Secret::copy_of("the value"), kKey);
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(unseal(changed, kKey)) << i;
    EXPECT_FALSE(unseal(sealed.substr(0, i), kKey)) << i;
  }
}

TEST(Seal, IsDifferentEachTime) { EXPECT_NE(seal(Secret::copy_of("a"), kKey), seal(Secret::copy_of("a"), kKey)); }

}  // namespace
}  // namespace sbx::secrets
