// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/initramfs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "backends/qemu/sample_kernel.h"
#include "base/format.h"
#include "support/golden.h"

namespace sbx::backends::qemu {
namespace {

std::vector<CpioEntry> example_entries() {
  return initramfs_entries("#!init", {{"virtio", "a"}, {"virtio_mmio", "bcd"}, {"erofs", ""}}, {{"nf_tables", "net"}});
}

TEST(Initramfs, HoldsWhatItHeld) {
  std::string list;
  for (const CpioEntry& entry : example_entries())
    list += sbx::format("{:06o} {} {}:{} {}\n", entry.mode, entry.content.size(), entry.major, entry.minor, entry.path);
  testing::expect_golden("qemu/initramfs.txt", list);
}

TEST(Initramfs, NamesSortAsTheModulesAreToBeLoaded) {
  const auto entries = initramfs_entries("", std::vector<NamedModule>(20, {"z", ""}), {});
  EXPECT_EQ(entries[entries.size() - 2].path, "modules/19-z.ko");
  EXPECT_TRUE(std::ranges::is_sorted(entries.end() - 21, entries.end() - 1, {}, &CpioEntry::path));
}

TEST(Cpio, TheSameEntriesGiveTheSameBytes) {
  EXPECT_EQ(cpio_archive(example_entries()), cpio_archive(example_entries()));
}

TEST(Cpio, ThePartsAreAligned) {
  for (std::size_t length = 0; length < 9; ++length) {
    const std::string archive =
        cpio_archive({{std::string(length + 1, 'n'), S_IFREG | 0644, std::string(length, 'c')}});
    EXPECT_EQ(archive.size() % 4, 0u);
    EXPECT_EQ(archive.rfind("070701") % 4, 0u);
  }
}

TEST(Cpio, TheRealProgramListsIt) {
  if (!find_program("cpio")) GTEST_SKIP() << "cpio is not installed";
  std::string names;
  for (const CpioEntry& entry : example_entries()) names += entry.path + "\n";
  EXPECT_EQ(testing::filtered({"cpio", "--quiet", "-it"}, cpio_archive(example_entries())), names);
}

TEST(Cpio, TheRealProgramUnpacksIt) {
  if (!find_program("cpio")) GTEST_SKIP() << "cpio is not installed";
  const testing::TemporaryDirectory root;
  // Without the device, which an ordinary user may not make.
  testing::filtered({"cpio", "--quiet", "-i", "-D", root.path(), "--nonmatching", "dev/console"},
                    cpio_archive(example_entries()));
  EXPECT_EQ(root.entries(),
            (std::vector<std::string>{"dev", "init", "modules", "network-modules", "newroot", "proc", "run", "sys"}));
  EXPECT_EQ(read_file(root / "init"), "#!init");
  EXPECT_EQ(read_file(root / "modules/01-virtio_mmio.ko"), "bcd");
  EXPECT_EQ(read_file(root / "modules/02-erofs.ko"), "");
  struct stat info {};
  ASSERT_EQ(::stat((root / "init").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode, S_IFREG | 0755u);
}

}  // namespace
}  // namespace sbx::backends::qemu
