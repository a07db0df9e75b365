// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/kit.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <thread>

#include "backends/qemu/kit/modules.h"
#include "backends/qemu/sample_kernel.h"
#include "support/small_disk.h"

namespace sbx::backends::qemu {
namespace {

// A configured kernel with every module that is wanted; only the virtio ones are files.
class KitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(make_directories(directory / "modules"));
    ASSERT_TRUE(make_directories(cache));
    ASSERT_TRUE(write_file(settings.kernel, testing::sample_bzimage(testing::filtered({"gzip", "-c"}, elf), "6.1")));
    ASSERT_TRUE(
        write_file(settings.modules + "/modules.dep",
                   "virtio_blk.ko: virtio.ko.gz\nvirtio.ko.gz:\nnft_redir.ko: virtio.ko.gz nf_nat.ko\nnf_nat.ko:\n"));
    std::string builtin;
    for (const std::string_view name : kWantedModules)
      if (name != "virtio_blk") builtin += std::string(name) + ".ko\n";
    for (const std::string_view name : kNetworkModules)
      if (name != "nft_redir") builtin += std::string(name) + ".ko\n";
    ASSERT_TRUE(write_file(settings.modules + "/modules.builtin", builtin));
    ASSERT_TRUE(write_file(settings.modules + "/virtio_blk.ko", "block"));
    ASSERT_TRUE(write_file(settings.modules + "/nft_redir.ko", "redirect"));
    ASSERT_TRUE(write_file(settings.modules + "/nf_nat.ko", "translate"));
    ASSERT_TRUE(write_file(settings.modules + "/virtio.ko.gz", testing::filtered({"gzip", "-c"}, "ring")));
    ASSERT_TRUE(write_file(init, "init"));
  }
  Result<Kit> ready() { return ready_kit(settings, init, cache); }
  std::vector<std::string> kernels() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(cache + "/kernels"))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  // A kit, or what a dead one left, last used that many hours ago.
  void old_directory(const std::string& name, int hours) {
    const std::string path = cache + "/kernels/" + name;
    ASSERT_TRUE(make_directories(path));
    ASSERT_TRUE(write_file(path + "/kernel", "old"));
    const std::array<timespec, 2> times{{{::time(nullptr) - hours * 3600, 0}, {::time(nullptr) - hours * 3600, 0}}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
  }

  testing::TemporaryDirectory directory;
  std::string elf = testing::sample_elf();
  std::string cache = directory / "cache";
  std::string init = directory / "sandbox-init";
  Settings settings{directory / "vmlinuz", directory / "modules"};
};

TEST_F(KitTest, HasTheKernelUncompressedAndTheModulesInOrder) {
  const auto kit = ready();
  ASSERT_TRUE(kit) << kit.error().what();
  EXPECT_EQ(kit->release, "6.1");
  EXPECT_TRUE(read_file(kit->kernel) == elf);
  const std::string initramfs = *read_file(kit->initramfs);
  const std::size_t ring = initramfs.find("ring");
  EXPECT_LT(initramfs.find("modules/00-virtio.ko"), ring);
  EXPECT_LT(ring, initramfs.find("modules/01-virtio_blk.ko"));
  EXPECT_LT(initramfs.find("network-modules/00-nf_nat.ko"), initramfs.find("network-modules/01-nft_redir.ko"));
  EXPECT_EQ(initramfs.find("network-modules/02"), std::string::npos) << "virtio is loaded by then";
}

TEST_F(KitTest, IsMadeOnce) {
  const auto first = ready();
  struct stat before {};
  ASSERT_EQ(::stat(first->kernel.c_str(), &before), 0);
  const auto second = ready();
  struct stat after {};
  ASSERT_EQ(::stat(second->kernel.c_str(), &after), 0);
  EXPECT_EQ(first->kernel, second->kernel);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST_F(KitTest, AnotherInitKernelOrSetOfModulesIsAnotherKit) {
  const auto touch = [](const std::string& path) {
    const std::array<timespec, 2> times{{{1, 5}, {1, 5}}};
    EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
  };
  std::vector<std::string> seen{ready()->kernel};
  for (const std::string& path : {init, settings.kernel, settings.modules + "/modules.dep"}) {
    touch(path);
    const auto kit = ready();
    ASSERT_TRUE(kit);
    EXPECT_EQ(std::ranges::count(seen, kit->kernel), 0) << path;
    seen.push_back(kit->kernel);
  }
}

TEST_F(KitTest, WithSomethingSwitchedOffItIsAnotherKit) {
  const std::string usual = ready()->initramfs;
  ASSERT_EQ(::setenv("SANDBOXD_WITHOUT", "unsigned-modules", 1), 0);
  EXPECT_NE(ready()->initramfs, usual);
  ASSERT_EQ(::unsetenv("SANDBOXD_WITHOUT"), 0);
  EXPECT_EQ(ready()->initramfs, usual);
}

TEST_F(KitTest, CanBeReadByNobodyWhateverTheUmask) {
  const mode_t old = ::umask(077);
  const auto kit = ready();
  ::umask(old);
  ASSERT_TRUE(kit);
  for (const std::string& path : {kit->kernel, kit->initramfs}) {
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, 0644u);
  }
}

TEST_F(KitTest, AKernelThatCannotBeTakenOutBootsAsItIs) {
  const std::string image = testing::sample_bzimage("no compression that anybody knows", "6.1");
  ASSERT_TRUE(write_file(settings.kernel, image));
  const auto kit = ready();
  ASSERT_TRUE(kit) << kit.error().what();
  EXPECT_TRUE(read_file(kit->kernel) == image);
}

TEST_F(KitTest, AFailureLeavesNothing) {
  ASSERT_EQ(::unlink((settings.modules + "/virtio.ko.gz").c_str()), 0);
  const auto kit = ready();
  ASSERT_FALSE(kit);
  EXPECT_NE(kit.error().what().find("virtio.ko.gz"), std::string::npos) << kit.error().what();
  EXPECT_EQ(kernels(), std::vector<std::string>{"lock"});
}

TEST_F(KitTest, AFullHostIsOneClearErrorAndNothingIsLeft) {
  const testing::SmallDisk full(cache, 64 << 10);
  if (!full.mounted()) GTEST_SKIP() << "only root can mount a small file system";
  const auto kit = ready();
  ASSERT_FALSE(kit);
  EXPECT_NE(kit.error().what().find("No space left on device"), std::string::npos) << kit.error().what();
  EXPECT_EQ(kernels(), std::vector<std::string>{"lock"});
}

TEST_F(KitTest, AMissingInitIsNamed) {
  ASSERT_EQ(::unlink(init.c_str()), 0);
  const auto kit = ready();
  ASSERT_FALSE(kit);
  EXPECT_NE(kit.error().what().find(init), std::string::npos);
}

TEST_F(KitTest, WhatADeadOneLeftIsSweptAndNotTaken) {
  old_directory("tmp-abcdef", 0);
  const auto kit = ready();
  ASSERT_TRUE(kit);
  EXPECT_FALSE(exists(cache + "/kernels/tmp-abcdef"));
  EXPECT_EQ(kernels().size(), 2u);
}

TEST_F(KitTest, TheThreeUsedLastAndThoseOfTodayAreKept) {
  for (const auto& [name, hours] : {std::pair{"a", 100}, {"b", 50}, {"c", 200}, {"d", 300}}) old_directory(name, hours);
  ASSERT_TRUE(ready());
  EXPECT_FALSE(exists(cache + "/kernels/d"));
  for (const char* name : {"a", "b", "c"}) EXPECT_TRUE(exists(cache + "/kernels/" + name)) << name;
  // Those of the last day are more than three now.
  for (const char* name : {"e", "f", "g"}) old_directory(name, 2);
  ASSERT_TRUE(write_file(init, "another"));
  ASSERT_TRUE(ready());
  for (const char* name : {"a", "b", "c"}) EXPECT_FALSE(exists(cache + "/kernels/" + name)) << name;
  for (const char* name : {"e", "f", "g"}) EXPECT_TRUE(exists(cache + "/kernels/" + name)) << name;
}

TEST_F(KitTest, UseKeepsAKitFromTheSweep) {
  const auto kit = ready();
  const std::string name = std::filesystem::path(kit->kernel).parent_path().filename();
  old_directory(name, 500);
  ASSERT_TRUE(ready());
  struct stat info {};
  ASSERT_EQ(::stat((cache + "/kernels/" + name).c_str(), &info), 0);
  EXPECT_GT(info.st_mtim.tv_sec, ::time(nullptr) - 3600);
}

TEST_F(KitTest, OfSeveralAtOnceOneMakesIt) {
  std::vector<std::string> found(8);
  {
    std::vector<std::jthread> threads;
    for (std::string& path : found) threads.emplace_back([&] { path = ready().value_or(Kit{}).kernel; });
  }
  for (const std::string& path : found) EXPECT_EQ(path, found.front());
  EXPECT_NE(found.front(), "");
  EXPECT_EQ(kernels().size(), 2u);
}

TEST_F(KitTest, KilledHalfwayItIsMadeAgain) {
  // A module that never ends: the one who reads it has the lock, and a directory of its own.
  ASSERT_EQ(::unlink((settings.modules + "/virtio_blk.ko").c_str()), 0);
  ASSERT_EQ(::mkfifo((settings.modules + "/virtio_blk.ko").c_str(), 0600), 0);
  const pid_t victim = ::fork();
  if (victim == 0) ::_exit(ready() ? 0 : 1);
  // Opening the other end waits until the victim has got there.
  const auto writer = open_path(settings.modules + "/virtio_blk.ko", O_WRONLY);
  ASSERT_TRUE(writer);
  EXPECT_EQ(kernels().size(), 2u);
  ASSERT_EQ(::kill(victim, SIGKILL), 0);
  ASSERT_EQ(::waitpid(victim, nullptr, 0), victim);
  ASSERT_EQ(::unlink((settings.modules + "/virtio_blk.ko").c_str()), 0);
  ASSERT_TRUE(write_file(settings.modules + "/virtio_blk.ko", "block"));
  const auto kit = ready();
  ASSERT_TRUE(kit) << kit.error().what();
  EXPECT_NE(read_file(kit->initramfs)->find("block"), std::string::npos);
  EXPECT_EQ(kernels().size(), 2u);
}

}  // namespace
}  // namespace sbx::backends::qemu
