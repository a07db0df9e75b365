// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/mask.h"

#include <gtest/gtest.h>

namespace sbx::vault {
namespace {

const std::string kSecret = "sk-0123456789-abcdefghijklmnopqrstuvwxyz";

// What comes out when `text` comes in pieces that end at these places.
std::string passed(Mask& mask, const std::string& text, std::vector<std::size_t> cuts) {
  std::string out;
  std::size_t from = 0;
  cuts.push_back(text.size());
  for (const std::size_t to : cuts) {
    out += mask.pass(text.substr(from, to - from));
    from = to;
  }
  return out + std::string(mask.rest());
}

std::string hidden(std::size_t size) { return std::string(size, '*'); }

TEST(Mask, OverwritesASecretThatIsInOnePieceAndChangesNothingElse) {
  Mask mask;
  mask.add(kSecret);
  EXPECT_EQ(passed(mask, "a" + kSecret + "b" + kSecret + kSecret, {}),
            "a" + hidden(kSecret.size()) + "b" + hidden(2 * kSecret.size()));
}

TEST(Mask, WhereverASecretIsCutItsRestIsOverwritten) {
  const std::string text = "before " + kSecret + " after";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Mask mask;
    mask.add(kSecret);
    const std::string out = passed(mask, text, {cut});
    ASSERT_EQ(out.size(), text.size()) << cut;
    EXPECT_EQ(out.substr(0, 7), "before ") << cut;
    EXPECT_EQ(out.substr(7 + kSecret.size()), " after") << cut;
    EXPECT_EQ(out.substr(7 + kSecret.size() / 4, kSecret.size() * 3 / 4), hidden(kSecret.size() * 3 / 4)) << cut;
  }
}

TEST(Mask, ByteByByteAQuarterIsShownAtMost) {
  const std::string text = kSecret + "." + kSecret;
  Mask mask;
  mask.add(kSecret);
  std::vector<std::size_t> cuts;
  for (std::size_t cut = 1; cut < text.size(); ++cut) cuts.push_back(cut);
  const std::string out = passed(mask, text, cuts);
  const std::size_t shown = kSecret.size() / 4;
  EXPECT_EQ(out, kSecret.substr(0, shown) + hidden(kSecret.size() - shown) + "." + kSecret.substr(0, shown) +
                     hidden(kSecret.size() - shown));
}

// A response may end like this, and its client waits for the last byte.
TEST(Mask, AShortBeginningIsNotKeptBack) {
  Mask mask;
  mask.add(kSecret);
  EXPECT_EQ(mask.pass("tasks"), "tasks");
  EXPECT_EQ(mask.pass("k"), "k");
  EXPECT_EQ(mask.pass("y"), "y");
}

TEST(Mask, ALongBeginningIsKeptBackUntilItIsClear) {
  const std::string beginning = kSecret.substr(0, kSecret.size() - 1);
  Mask mask;
  mask.add(kSecret);
  EXPECT_EQ(mask.pass("x" + beginning), "x");
  EXPECT_EQ(mask.pass("!"), beginning + "!");
  EXPECT_EQ(mask.pass(beginning), "");
  EXPECT_EQ(mask.rest(), beginning);
}

TEST(Mask, SeveralSecretsInAnyOrder) {
  const std::string other = "dGhlLW90aGVyLXNlY3JldA";
  const std::string text = other + kSecret + other;
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Mask mask;
    mask.add(kSecret);
    mask.add(other);
    const std::string out = passed(mask, text, {cut});
    ASSERT_EQ(out.size(), text.size());
    for (const std::string& secret : {kSecret, other})
      EXPECT_EQ(out.find(secret.substr(secret.size() / 4)), std::string::npos) << cut;
  }
}

TEST(Mask, ASecretThatBeginsLikeItselfIsFound) {
  const std::string secret = "aaaaaaab";
  for (std::size_t cut = 0; cut <= 12; ++cut) {
    Mask mask;
    mask.add(secret);
    const std::string out = passed(mask, "aaaaaaaaaaab", {cut});
    EXPECT_EQ(out.size(), 12u);
    EXPECT_EQ(out.substr(6), "******") << cut;
  }
}

TEST(Mask, WithoutASecretNothingIsCopied) {
  Mask mask;
  const std::string text = "text";
  EXPECT_EQ(mask.pass(text).data(), text.data());
}

TEST(Mask, ShortSecretsAreNotLookedFor) {
  Mask mask;
  mask.add("short");
  EXPECT_EQ(mask.pass("shortness"), "shortness");
}

}  // namespace
}  // namespace sbx::vault
