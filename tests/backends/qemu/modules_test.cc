// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/modules.h"

#include <gtest/gtest.h>

#include "backends/qemu/sample_kernel.h"

namespace sbx::backends::qemu {
namespace {

using Order = std::vector<std::string>;

class ModulesTest : public ::testing::Test {
 protected:
  void file(const std::string& name, std::string_view content) { ASSERT_TRUE(write_file(directory / name, content)); }
  Result<Order> order(std::vector<std::string_view> wanted) { return modules_in_order(kernel, wanted); }

  testing::TemporaryDirectory directory;
  Kernel kernel{directory / "vmlinuz-6.1", directory.path(), "6.1"};
};

TEST_F(ModulesTest, EachComesAfterWhatItDependsOn) {
  // depmod lists everything that is needed, the first needed last.
  file("modules.dep",
       "kernel/c.ko: kernel/b.ko kernel/a.ko\n"
       "kernel/a.ko:\n"
       "kernel/d.ko: kernel/a.ko\n"
       "kernel/b.ko: kernel/a.ko\n");
  EXPECT_EQ(order({"c", "d"}), (Order{"kernel/a.ko", "kernel/b.ko", "kernel/c.ko", "kernel/d.ko"}));
}

TEST_F(ModulesTest, TheWantedOrderIsKeptAndNothingComesTwice) {
  file("modules.dep", "a.ko:\nb.ko:\n");
  EXPECT_EQ(order({"b", "a", "b"}), (Order{"b.ko", "a.ko"}));
}

TEST_F(ModulesTest, DashesAndUnderscoresAreTheSame) {
  file("modules.dep", "kernel/virtio-rng.ko.xz: kernel/hw_random.ko.zst\nkernel/hw_random.ko.zst:\n");
  EXPECT_EQ(order({"virtio_rng"}), (Order{"kernel/hw_random.ko.zst", "kernel/virtio-rng.ko.xz"}));
  EXPECT_EQ(order({"hw-random"}), (Order{"kernel/hw_random.ko.zst"}));
}

TEST_F(ModulesTest, WhatIsBuiltInIsLeftOut) {
  file("modules.dep", "erofs.ko:\n");
  file("modules.builtin", "kernel/fs/ext4/ext4.ko\nkernel/drivers/virtio/virtio-mmio.ko\n");
  EXPECT_EQ(order({"virtio_mmio", "erofs", "ext4"}), Order{"erofs.ko"});
}

TEST_F(ModulesTest, AllThatAreMissingAreNamedAtOnce) {
  file("modules.dep", "a.ko:\n");
  const auto failed = order({"virtio_mmio", "a", "erofs"});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().what(), "kernel 6.1 cannot run a machine: it lacks virtio_mmio, erofs");
  EXPECT_NE(failed.error().hint(), "");
}

TEST_F(ModulesTest, ASoftDependencyComesFirst) {
  file("modules.dep", "libcrc32c.ko:\ncrc32c.ko: base.ko\nbase.ko:\n");
  file("modules.softdep", "# comment\nsoftdep libcrc32c pre: crc32c post: other\nsoftdep cifs ccm\n");
  EXPECT_EQ(order({"libcrc32c"}), (Order{"base.ko", "crc32c.ko", "libcrc32c.ko"}));
}

TEST_F(ModulesTest, ASoftDependencyThatIsBuiltInUnderAnotherNameIsThere) {
  file("modules.dep", "libcrc32c.ko:\ncrc32c-intel.ko:\n");
  file("modules.softdep", "softdep libcrc32c pre: crc32c\n");
  file("modules.alias", "alias crc32c crc32c_intel\n");
  file("modules.builtin", "kernel/crypto/crc32c_generic.ko\n");
  using namespace std::string_view_literals;
  file("modules.builtin.modinfo", "crc32c_generic.license=GPL\0crc32c_generic.alias=crc32c\0"sv);
  EXPECT_EQ(order({"libcrc32c"}), Order{"libcrc32c.ko"});
}

TEST_F(ModulesTest, ForASoftDependencyTheModuleForAnyProcessorIsTaken) {
  file("modules.dep", "libcrc32c.ko:\ncrc32c-intel.ko:\ncrc32c_generic.ko:\n");
  file("modules.softdep", "softdep libcrc32c pre: crc32c\n");
  file("modules.alias", "alias crc32c crc32c_intel\nalias crc32c crc32c_generic\n");
  EXPECT_EQ(order({"libcrc32c"}), (Order{"crc32c_generic.ko", "libcrc32c.ko"}));
}

TEST_F(ModulesTest, ASoftDependencyThatIsNotThereIsNoError) {
  file("modules.dep", "a.ko:\n");
  file("modules.softdep", "softdep a pre: b\n");
  EXPECT_EQ(order({"a"}), Order{"a.ko"});
}

TEST_F(ModulesTest, ACircleEnds) {
  file("modules.dep", "a.ko: b.ko\nb.ko: a.ko\n");
  EXPECT_EQ(order({"a"}), (Order{"b.ko", "a.ko"}));
}

TEST_F(ModulesTest, WithoutModulesDepThereIsAnError) { EXPECT_FALSE(order({"a"})); }

// A module of 5 bytes with a signature of 3.
std::string signed_module() {
  using namespace std::string_literals;
  return "\x7f"s + "ELFx" + "sig" + "\0\0\2\0\0\0\0\0"s + "\0\0\0\3"s + "~Module signature appended~\n";
}

TEST_F(ModulesTest, ASignatureThatTheKernelDoesNotNeedIsLeftOut) {
  file("a.ko", signed_module());
  file("config-6.1", "CONFIG_MODULE_SIG=y\n# CONFIG_MODULE_SIG_FORCE is not set\n");
  EXPECT_EQ(loadable_module(kernel, "a.ko"),
            "\x7f"
            "ELFx");
}

TEST_F(ModulesTest, ASignatureThatTheKernelMayNeedIsKept) {
  file("a.ko", signed_module());
  EXPECT_EQ(loadable_module(kernel, "a.ko"), signed_module());
  for (const char* config : {"CONFIG_MODULE_SIG_FORCE=y\n", "CONFIG_LOCK_DOWN_KERNEL_FORCE_INTEGRITY=y\n"}) {
    file("config-6.1", config);
    EXPECT_EQ(loadable_module(kernel, "a.ko"), signed_module()) << config;
  }
}

TEST_F(ModulesTest, ASignatureThatCannotBeIsLeftAlone) {
  file("config-6.1", "");
  std::string module = signed_module();
  module[module.size() - 29] = '\x7f';  // the lowest byte of its length
  for (const std::string& odd : {module, std::string("~Module signature appended~\n"), std::string()}) {
    file("a.ko", odd);
    EXPECT_EQ(loadable_module(kernel, "a.ko"), odd);
  }
}

TEST_F(ModulesTest, ACompressedModuleIsDecompressed) {
  file("config-6.1", "");
  file("a.ko.gz", testing::filtered({"gzip", "-c"}, signed_module()));
  EXPECT_EQ(loadable_module(kernel, "a.ko.gz"),
            "\x7f"
            "ELFx");
  file("a.ko.xz", "not xz");
  const auto damaged = loadable_module(kernel, "a.ko.xz");
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().what().find("a.ko.xz"), std::string::npos);
}

TEST(Modules, TheKernelOfThisHostHasWhatIsWanted) {
  const auto kernel = find_kernel({});
  if (!kernel) GTEST_SKIP() << kernel.error().what();
  const auto order = modules_in_order(*kernel, kWantedModules);
  ASSERT_TRUE(order) << order.error().what();
  for (const std::string& path : *order) EXPECT_TRUE(exists(kernel->modules + "/" + path)) << path;
  const auto network = modules_in_order(*kernel, kNetworkModules);
  EXPECT_TRUE(network) << network.error().what();
}

}  // namespace
}  // namespace sbx::backends::qemu
