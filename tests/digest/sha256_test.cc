// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "digest/sha256.h"

#include <gtest/gtest.h>

namespace sbx::digest {
namespace {

TEST(Digest, IsTheOneEverybodyElseComputes) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 parts;
  parts.update("a");
  parts.update("bc");
  EXPECT_EQ(parts.finish(), sha256_of("abc"));
}

}  // namespace
}  // namespace sbx::digest
