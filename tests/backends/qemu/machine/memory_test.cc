// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/memory.h"

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace sbx::backends::qemu {
namespace {

constexpr std::int64_t kGiB = 1024 * kMiB;

struct Segment {
  std::uint32_t type;
  std::uint64_t address;
  std::uint64_t size;
};

std::string image_with(const std::vector<Segment>& segments) {
  Elf64_Ehdr header{};
  std::copy_n(ELFMAG, SELFMAG, header.e_ident);
  header.e_phoff = sizeof header;
  header.e_phnum = static_cast<Elf64_Half>(segments.size());
  std::string image(reinterpret_cast<const char*>(&header), sizeof header);
  for (const Segment& segment : segments) {
    Elf64_Phdr entry{};
    entry.p_type = segment.type;
    entry.p_paddr = segment.address;
    entry.p_memsz = segment.size;
    image.append(reinterpret_cast<const char*>(&entry), sizeof entry);
  }
  return image;
}

std::string kernel() {
  return image_with({{PT_LOAD, 16 * kMiB, 20 * kMiB}, {PT_NOTE, 0, 64}, {PT_LOAD, 40 * kMiB, 10 * kMiB}});
}

TEST(Footprint, IsTheKernelTheTableOfPagesAndTheFirstPages) {
  EXPECT_EQ(boot_footprint(kernel(), kGiB),
            (std::vector<MemoryRange>{{16 * kMiB, 34 * kMiB}, {kGiB - 32 * kMiB, 32 * kMiB}, {50 * kMiB, 48 * kMiB}}));
}

TEST(Footprint, HasTheFirstPagesAboveTheHoleWhereThereAreAny) {
  EXPECT_EQ(
      boot_footprint(kernel(), 8 * kGiB),
      (std::vector<MemoryRange>{{16 * kMiB, 34 * kMiB}, {8 * kGiB - 144 * kMiB, 144 * kMiB}, {3 * kGiB, 48 * kMiB}}));
}

TEST(Footprint, IsNeverOutsideTheMemory) {
  for (const std::int64_t memory : {24 * kMiB, 64 * kMiB, 128 * kMiB, 3 * kGiB, 3 * kGiB + kMiB})
    for (const MemoryRange& range : boot_footprint(kernel(), memory)) {
      EXPECT_GE(range.begin, 0);
      EXPECT_GT(range.size, 0);
      EXPECT_LE(range.begin + range.size, memory);
      EXPECT_EQ(range.begin % 4096, 0);
      EXPECT_EQ(range.size % 4096, 0);
    }
}

TEST(Footprint, OfWhatIsNoKernelIsEmpty) {
  EXPECT_TRUE(boot_footprint("", kGiB).empty());
  EXPECT_TRUE(boot_footprint("MZ, a bzImage", kGiB).empty());
  EXPECT_TRUE(boot_footprint(image_with({}), kGiB).empty());
  EXPECT_TRUE(boot_footprint(kernel().substr(0, sizeof(Elf64_Ehdr) + 8), kGiB).empty());
  EXPECT_TRUE(boot_footprint(image_with({{PT_LOAD, UINT64_MAX - 4096, 8192}}), kGiB).empty());
  EXPECT_TRUE(boot_footprint(image_with({{PT_LOAD, 0, 64 * kGiB}}), kGiB).empty());
}

TEST(Footprint, WithProgramHeadersBeyondTheEndIsEmpty) {
  std::string image = kernel();
  Elf64_Ehdr header{};
  std::copy_n(image.data(), sizeof header, reinterpret_cast<char*>(&header));
  header.e_phoff = UINT64_MAX - 16;
  image.replace(0, sizeof header, reinterpret_cast<const char*>(&header), sizeof header);
  EXPECT_TRUE(boot_footprint(image, kGiB).empty());
}

class MemoryOfMachine : public ::testing::Test {
 protected:
  Fd file_{::memfd_create("memory", MFD_CLOEXEC)};
  std::int64_t held() const {
    struct stat info {};
    ::fstat(file_.get(), &info);
    return info.st_blocks * 512;
  }
};

TEST_F(MemoryOfMachine, HasThePagesThatWereProvidedAndNoOthers) {
  ASSERT_EQ(::ftruncate(file_.get(), 64 * kMiB), 0);
  EXPECT_EQ(held(), 0);
  provide(file_, std::vector<MemoryRange>{{4 * kMiB, kMiB}, {32 * kMiB, 2 * kMiB}});
  EXPECT_EQ(held(), 3 * kMiB);
  EXPECT_EQ(::lseek(file_.get(), 0, SEEK_DATA), 4 * kMiB);
}

TEST_F(MemoryOfMachine, KeepsWhatWasInAPageBefore) {
  ASSERT_EQ(::ftruncate(file_.get(), kMiB), 0);
  ASSERT_EQ(::pwrite(file_.get(), "kept", 4, 5000), 4);
  provide(file_, std::vector<MemoryRange>{{0, kMiB}});
  std::string text(4, '\0');
  ASSERT_EQ(::pread(file_.get(), text.data(), 4, 5000), 4);
  EXPECT_EQ(text, "kept");
}

TEST_F(MemoryOfMachine, ThatCannotBeMappedIsLeftAlone) {
  provide(Fd(), std::vector<MemoryRange>{{0, kMiB}});
  EXPECT_EQ(held(), 0);
}

TEST(MachineMemory, IsAFileOfItsSizeThatOnlyItsOwnerOpens) {
  const auto memory = make_memory(256 * kMiB, ::getuid(), ::getgid());
  ASSERT_TRUE(memory) << memory.error().what();
  struct stat info {};
  ASSERT_EQ(::fstat(memory->file.get(), &info), 0);
  EXPECT_EQ(info.st_size, 256 * kMiB);
  EXPECT_EQ(info.st_blocks, 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  struct stat named {};
  ASSERT_EQ(::fstatat(memory->directory.tree.get(), kMemoryFile, &named, 0), 0);
  EXPECT_EQ(named.st_ino, info.st_ino);
  ASSERT_EQ(::fstat(memory->directory.tree.get(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0755u);
}

}  // namespace
}  // namespace sbx::backends::qemu
