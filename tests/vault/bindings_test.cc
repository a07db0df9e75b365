// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/bindings.h"

#include <gtest/gtest.h>

#include "vault/basic.h"

namespace sbx::vault {
namespace {

Bindings bindings() { return {{"api.test", "git.test"}, {{"stand-in", {"api.test"}}, {"other-one", {"git.test"}}}}; }

TEST(Bindings, AreReadAsTheyWereSaidAndRefusedWhereverTheyAreCut) {
  const std::string bytes = encode(bindings());
  EXPECT_EQ(*decode_bindings(bytes), bindings());
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(decode_bindings(bytes.substr(0, size))) << size;
}

TEST(Bindings, APlaceholderMayGoToItsHostOverTlsAndNowhereElse) {
  const Bindings known = bindings();
  const http::Headers fields = {{"Accept", "*/*"}, {"X-Key", "a stand-in b"}};
  EXPECT_EQ(known.misplaced_in(fields, "api.test", true), nullptr);
  EXPECT_NE(known.misplaced_in(fields, "api.test", false), nullptr);
  EXPECT_NE(known.misplaced_in(fields, "git.test", true), nullptr);
  EXPECT_NE(known.misplaced_in(fields, "evil.test", true), nullptr);
  EXPECT_EQ(known.misplaced_in({{"Accept", "*/*"}}, "evil.test", false), nullptr);
}

TEST(Bindings, APlaceholderIsSeenInsideBasic) {
  const Bindings known = bindings();
  EXPECT_NE(known.misplaced_in({{"Authorization", basic("user:stand-in")}}, "evil.test", true), nullptr);
  EXPECT_EQ(known.misplaced_in({{"Authorization", basic("user:stand-in")}}, "api.test", true), nullptr);
}

TEST(Bindings, APlaceholderThatIsGoneStaysKnownAndHasNoHost) {
  const Bindings now = with_memory_of(bindings(), {{"git.test"}, {{"other-one", {"git.test"}}}});
  EXPECT_FALSE(now.binds("api.test"));
  const auto* gone = now.misplaced_in({{"X-Key", "stand-in"}}, "api.test", true);
  ASSERT_NE(gone, nullptr);
  EXPECT_TRUE(gone->hosts.empty());
}

TEST(Bindings, TheMemoryOfWhatIsGoneHasABound) {
  Bindings known;
  for (int round = 0; round < 5'000; ++round)
    known = with_memory_of(known, {{"api.test"}, {{"placeholder-" + std::to_string(round), {"api.test"}}}});
  EXPECT_LT(known.placeholders.size(), 2'000u);
  EXPECT_NE(known.misplaced_in({{"X", "placeholder-4998"}}, "evil.test", true), nullptr);
}

}  // namespace
}  // namespace sbx::vault
