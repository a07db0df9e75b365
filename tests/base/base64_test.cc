// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"

#include <gtest/gtest.h>

namespace sbx {
namespace {

TEST(Base64, EncodesAsTheRfcHasIt) {
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

TEST(Base64, EveryByteComesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(from_base64(base64(all)), all);
}

TEST(Base64, WhatIsNoneIsNotRead) {
  for (const char* other : {"Zm9v!", "Z", "Zm9v Zm9v"}) EXPECT_EQ(from_base64(other), std::nullopt) << other;
}

}  // namespace
}  // namespace sbx
