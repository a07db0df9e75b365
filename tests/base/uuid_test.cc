// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/uuid.h"

#include <gtest/gtest.h>

namespace sbx {
namespace {

TEST(Uuid, ANewOneIsOneAndNoOther) {
  const std::string uuid = new_uuid();
  EXPECT_TRUE(is_uuid(uuid)) << uuid;
  EXPECT_NE(uuid, new_uuid());
}

TEST(Uuid, NothingElseIsOne) {
  for (const char* text : {"", ".", "..", "../../x", "/", "1b4e28ba-2fa1-41d2-883f-0016d3cca42",
                           "1b4e28ba-2fa1-41d2-883f-0016d3cca4277", "1B4E28BA-2FA1-41D2-883F-0016D3CCA427",
                           "1b4e28ba-2fa1-11d2-883f-0016d3cca427", "1b4e28ba-2fa1-41d2-c83f-0016d3cca427",
                           "1b4e28ba_2fa1_41d2_883f_0016d3cca427", "../../../../../../../../../../x/y/z/"})
    EXPECT_FALSE(is_uuid(text)) << text;
}

}  // namespace
}  // namespace sbx
