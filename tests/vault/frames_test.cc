// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/frames.h"

#include <gtest/gtest.h>

namespace sbx::vault {
namespace {

constexpr auto kLastKind = static_cast<std::uint8_t>(ToVault::kEnd);

struct Taken {
  std::string text;
  bool good = true;
};

Taken taken(FrameReader& reader, std::string_view bytes) {
  Taken all;
  all.good = reader
                 .take(bytes,
                       [&all](std::uint8_t kind, std::string_view content) {
                         all.text += std::to_string(kind) + std::string(content) + ";";
                         return true;
                       })
                 .has_value();
  return all;
}

TEST(Frames, AreFoundWhereverTheyAreCut) {
  const std::string bytes = frame(ToVault::kHead, "head") + frame(ToVault::kBody, "") + frame(ToVault::kBody, "body") +
                            frame(ToVault::kEnd, "");
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    FrameReader reader(kLastKind);
    const Taken first = taken(reader, bytes.substr(0, cut));
    const Taken second = taken(reader, bytes.substr(cut));
    EXPECT_TRUE(first.good && second.good);
    EXPECT_EQ(first.text + second.text, "0head;1;1body;2;") << cut;
  }
}

TEST(Frames, OfAnUnknownKindOrTooLargeAreRefusedByTheirFirstBytes) {
  FrameReader unknown(kLastKind);
  EXPECT_FALSE(taken(unknown, frame(std::uint8_t{3}, "")).good);
  FrameReader large(kLastKind);
  EXPECT_FALSE(taken(large, frame(ToVault::kBody, std::string(kLargestFrame + 1, 'x')).substr(0, 5)).good);
  FrameReader largest(kLastKind);
  EXPECT_TRUE(taken(largest, frame(ToVault::kBody, std::string(kLargestFrame, 'x'))).good);
}

TEST(Frames, NoneComesAfterOneThatIsTheLast) {
  FrameReader reader(kLastKind);
  int count = 0;
  EXPECT_TRUE(reader.take(frame(ToVault::kBody, "a") + frame(ToVault::kBody, "b"), [&](std::uint8_t, std::string_view) {
    ++count;
    return false;
  }));
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace sbx::vault
