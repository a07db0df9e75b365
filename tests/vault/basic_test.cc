// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/basic.h"

#include <gtest/gtest.h>

namespace sbx::vault {
namespace {

TEST(Basic, EncodesAsTheRfcHasIt) {
  const std::pair<const char*, const char*> known[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : known) {
    EXPECT_EQ(base64(plain), encoded);
    EXPECT_EQ(from_base64(encoded), plain);
  }
}

TEST(Basic, EveryByteComesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(from_base64(base64(all)), all);
}

TEST(Basic, IsReadWithoutPaddingAndWhateverTheCaseOfItsScheme) {
  EXPECT_EQ(text_in_basic("bAsIc Zm86Yg"), "fo:b");
  EXPECT_EQ(text_in_basic("Basic   Zm86Yg=="), "fo:b");
}

TEST(Basic, IsNotSeenInWhatIsNot) {
  for (const char* other : {"Bearer Zm9v", "Basic", "Basic Zm9v!", "Basic Z", "Basically Zm9v", ""})
    EXPECT_FALSE(text_in_basic(other) && !text_in_basic(other)->empty()) << other;
}

}  // namespace
}  // namespace sbx::vault
