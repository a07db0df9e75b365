// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/modules.h"

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

TEST_F(ModulesTest, AllThatAreMissingAreNamedAtOnce) {
  file("modules.dep", "a.ko:\n");
  const auto failed = order({"virtio_mmio", "a", "erofs"});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().what(), "kernel 6.1 cannot run a machine: it lacks virtio_mmio, erofs");
  EXPECT_NE(failed.error().hint(), "");
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
