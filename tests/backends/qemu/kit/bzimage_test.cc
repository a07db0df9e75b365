// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/bzimage.h"

#include <gtest/gtest.h>

#include "backends/qemu/kit/kernel.h"
#include "backends/qemu/sample_kernel.h"

namespace sbx::backends::qemu {
namespace {

using testing::filtered;
using testing::sample_bzimage;
using testing::sample_elf;
using testing::with_size;

TEST(BzImage, SaysItsRelease) { EXPECT_EQ(release_of(sample_bzimage("", "6.8.0-31-generic")), "6.8.0-31-generic"); }

TEST(BzImage, AReleaseCannotLeaveTheDirectoryOfModules) {
  for (const char* release : {"../../etc", "..", ".", "a/b", ""})
    EXPECT_EQ(release_of(sample_bzimage("", release)), std::nullopt) << release;
}

TEST(BzImage, OtherFilesHaveNoRelease) {
  EXPECT_EQ(release_of(""), std::nullopt);
  EXPECT_EQ(release_of(sample_elf()), std::nullopt);
  EXPECT_EQ(release_of(std::string(4096, '\0')), std::nullopt);
}

TEST(BzImage, TheKernelInItIsTakenOut) {
  const std::string elf = sample_elf();
  for (const auto& argv :
       {std::vector<std::string>{"lz4", "-l", "-c"}, {"xz", "-c"}, {"zstd", "-q", "-c"}, {"bzip2", "-c"}}) {
    if (!find_program(argv.front())) continue;
    const auto kernel = uncompressed_kernel(sample_bzimage(with_size(filtered(argv, elf), elf.size())));
    ASSERT_TRUE(kernel) << argv.front() << ": " << kernel.error().what();
    EXPECT_TRUE(*kernel == elf);
  }
  const auto kernel = uncompressed_kernel(sample_bzimage(filtered({"gzip", "-c"}, elf)));
  ASSERT_TRUE(kernel) << kernel.error().what();
  EXPECT_TRUE(*kernel == elf);
}

TEST(BzImage, AKernelThatIsAlreadyTakenOutIsItself) { EXPECT_TRUE(uncompressed_kernel(sample_elf()) == sample_elf()); }

TEST(BzImage, AKernelWithoutThatEntryIsNotStartedDirectly) {
  for (const std::string& elf : {sample_elf("GNU", 18), sample_elf("Xen", 17), std::string(5000, 'x')})
    EXPECT_FALSE(uncompressed_kernel(sample_bzimage(filtered({"gzip", "-c"}, elf))));
}

TEST(BzImage, HalfAKernelIsNone) {
  const std::string elf = sample_elf();
  const std::string half = filtered({"xz", "-c"}, elf.substr(0, elf.size() / 2));
  EXPECT_FALSE(uncompressed_kernel(sample_bzimage(with_size(half, elf.size()))));
}

TEST(BzImage, NoPartOfAFileIsReadBeyondItsEnd) {
  const std::string payload = filtered({"gzip", "-c"}, sample_elf());
  const std::string image = sample_bzimage(payload);
  const std::size_t end = image.find(payload) + payload.size();
  for (std::size_t length = 0; length < end; ++length) {
    // A copy of the very size, so that the sanitizer knows where it ends.
    const std::string part(image, 0, length);
    (void)release_of(part);
    EXPECT_FALSE(uncompressed_kernel(part)) << length;
  }
  EXPECT_TRUE(uncompressed_kernel(image.substr(0, end)));
}

TEST(BzImage, NoPartOfAnElfFileIsReadBeyondItsEnd) {
  const std::string elf = sample_elf();
  const std::size_t end = elf.find("kkkk");
  for (std::size_t length = 0; length < end; ++length) EXPECT_FALSE(has_pvh_entry(std::string(elf, 0, length)));
  EXPECT_TRUE(has_pvh_entry(elf.substr(0, end)));
}

TEST(BzImage, TheKernelOfThisHostCanBeStartedDirectly) {
  const auto kernel = find_kernel({});
  if (!kernel) GTEST_SKIP() << kernel.error().what();
  const auto image = read_file(kernel->image, 512u << 20);
  ASSERT_TRUE(image);
  EXPECT_EQ(release_of(*image), kernel->release);
  const auto uncompressed = uncompressed_kernel(*image);
  EXPECT_TRUE(uncompressed) << uncompressed.error().what();
}

}  // namespace
}  // namespace sbx::backends::qemu
