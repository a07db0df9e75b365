// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/decompress.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "backends/qemu/sample_kernel.h"

namespace sbx::backends::qemu {
namespace {

class DecompressEvery : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(DecompressEvery, FormatGivesBackWhatWentIn) {
  if (!find_program(GetParam().front())) GTEST_SKIP() << GetParam().front() << " is not installed";
  // The second is more than run() would collect.
  for (const std::string& content : {std::string("short"), std::string(17u << 20, 'x')}) {
    const auto back = decompressed(testing::filtered(GetParam(), content));
    ASSERT_TRUE(back) << back.error().what();
    EXPECT_TRUE(*back == content);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Decompress, DecompressEvery,
    ::testing::Values(std::vector<std::string>{"lz4", "-l", "-c"}, std::vector<std::string>{"lz4", "-c"},
                      std::vector<std::string>{"gzip", "-c"}, std::vector<std::string>{"xz", "-0", "-c"},
                      std::vector<std::string>{"xz", "--format=lzma", "-0", "-c"},
                      std::vector<std::string>{"zstd", "-q", "-c"}, std::vector<std::string>{"bzip2", "-c"}));

TEST(Decompress, UnknownBytesAreRefused) {
  for (const char* bytes : {"", "x", "plain text"}) {
    const auto content = decompressed(bytes);
    ASSERT_FALSE(content);
    EXPECT_EQ(content.error().code(), Code::kInvalid);
  }
}

TEST(Decompress, DamageIsAnErrorOfOneLineThatNamesTheProgram) {
  std::string bytes = testing::filtered({"gzip", "-c"}, std::string(10'000, 'x'));
  bytes.resize(bytes.size() / 2);
  const auto content = decompressed(bytes);
  ASSERT_FALSE(content);
  EXPECT_NE(content.error().what().find("gzip"), std::string::npos);
  EXPECT_EQ(content.error().what().find('\n'), std::string::npos);
}

TEST(Decompress, AMissingProgramIsNamedWithItsPackage) {
  const std::string bytes = testing::filtered({"gzip", "-c"}, "x");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  const auto content = decompressed(bytes);
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code(), Code::kUnavailable);
  EXPECT_EQ(content.error().hint(), "sudo apt-get install gzip");
}

}  // namespace
}  // namespace sbx::backends::qemu
