// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tree.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::modules {
namespace {

using Names = std::vector<std::string>;

class TreeTest : public ::testing::Test {
 protected:
  void file(const std::string& name, std::string_view content) { ASSERT_TRUE(write_file(directory / name, content)); }
  Tree tree() { return Tree::read(directory.path()).value(); }
  Names order(const Names& wanted) {
    Tree tree = this->tree();
    Names order;
    for (const std::string& name : wanted) tree.add(name, order);
    return order;
  }

  testing::TemporaryDirectory directory;
};

TEST_F(TreeTest, EachComesAfterWhatItDependsOn) {
  // depmod lists everything that is needed, the first needed last.
  file("modules.dep",
       "kernel/c.ko: kernel/b.ko kernel/a.ko\n"
       "kernel/a.ko:\n"
       "kernel/d.ko: kernel/a.ko\n"
       "kernel/b.ko: kernel/a.ko\n");
  EXPECT_EQ(order({"c", "d"}), (Names{"kernel/a.ko", "kernel/b.ko", "kernel/c.ko", "kernel/d.ko"}));
}

TEST_F(TreeTest, TheWantedOrderIsKeptAndNothingComesTwice) {
  file("modules.dep", "a.ko:\nb.ko:\n");
  EXPECT_EQ(order({"b", "a", "b"}), (Names{"b.ko", "a.ko"}));
}

TEST_F(TreeTest, DashesAndUnderscoresAreTheSame) {
  file("modules.dep", "kernel/virtio-rng.ko.xz: kernel/hw_random.ko.zst\nkernel/hw_random.ko.zst:\n");
  EXPECT_EQ(order({"virtio_rng"}), (Names{"kernel/hw_random.ko.zst", "kernel/virtio-rng.ko.xz"}));
  EXPECT_EQ(order({"hw-random"}), (Names{"kernel/hw_random.ko.zst"}));
}

TEST_F(TreeTest, WhatIsBuiltInIsLeftOut) {
  file("modules.dep", "erofs.ko:\n");
  file("modules.builtin", "kernel/fs/ext4/ext4.ko\nkernel/drivers/virtio/virtio-mmio.ko\n");
  EXPECT_EQ(order({"virtio_mmio", "erofs", "ext4"}), Names{"erofs.ko"});
}

TEST_F(TreeTest, ASoftDependencyComesFirst) {
  file("modules.dep", "libcrc32c.ko:\ncrc32c.ko: base.ko\nbase.ko:\n");
  file("modules.softdep", "# comment\nsoftdep libcrc32c pre: crc32c post: other\nsoftdep cifs ccm\n");
  EXPECT_EQ(order({"libcrc32c"}), (Names{"base.ko", "crc32c.ko", "libcrc32c.ko"}));
}

TEST_F(TreeTest, ASoftDependencyThatIsBuiltInUnderAnotherNameIsThere) {
  file("modules.dep", "libcrc32c.ko:\ncrc32c-intel.ko:\n");
  file("modules.softdep", "softdep libcrc32c pre: crc32c\n");
  file("modules.alias", "alias crc32c crc32c_intel\n");
  file("modules.builtin", "kernel/crypto/crc32c_generic.ko\n");
  using namespace std::string_view_literals;
  file("modules.builtin.modinfo", "crc32c_generic.license=GPL\0crc32c_generic.alias=crc32c\0"sv);
  EXPECT_EQ(order({"libcrc32c"}), Names{"libcrc32c.ko"});
}

TEST_F(TreeTest, ForASoftDependencyTheModuleForAnyProcessorIsTaken) {
  file("modules.dep", "libcrc32c.ko:\ncrc32c-intel.ko:\ncrc32c_generic.ko:\n");
  file("modules.softdep", "softdep libcrc32c pre: crc32c\n");
  file("modules.alias", "alias crc32c crc32c_intel\nalias crc32c crc32c_generic\n");
  EXPECT_EQ(order({"libcrc32c"}), (Names{"crc32c_generic.ko", "libcrc32c.ko"}));
}

TEST_F(TreeTest, ASoftDependencyThatIsNotThereIsNoError) {
  file("modules.dep", "a.ko:\n");
  file("modules.softdep", "softdep a pre: b\n");
  EXPECT_EQ(order({"a"}), Names{"a.ko"});
}

TEST_F(TreeTest, ACircleEnds) {
  file("modules.dep", "a.ko: b.ko\nb.ko: a.ko\n");
  EXPECT_EQ(order({"a"}), (Names{"b.ko", "a.ko"}));
}

TEST_F(TreeTest, AModuleIsNamedByItselfAndByItsAliases) {
  file("modules.dep", "kernel/net/bridge/bridge.ko: kernel/net/llc/llc.ko\nkernel/net/llc/llc.ko:\n");
  file("modules.alias", "# Aliases extracted from modules themselves.\nalias rtnl-link-bridge bridge\n");
  EXPECT_EQ(tree().named("bridge"), Names{"bridge"});
  EXPECT_EQ(tree().named("rtnl-link-bridge"), Names{"bridge"});
  EXPECT_EQ(tree().named("rtnl_link_bridge"), Names{"bridge"});
  EXPECT_EQ(tree().named("rtnl-link-bridg"), Names{});
  EXPECT_EQ(tree().named("../net/llc/llc"), Names{}) << "a name is no path";
  EXPECT_EQ(tree().named(""), Names{});
}

TEST_F(TreeTest, AnAliasMayBeThatOfManyAndOfAllWithABeginning) {
  file("modules.dep", "loop.ko:\naes-x86.ko:\naes_generic.ko:\n");
  file("modules.alias", "alias block-major-7-* loop\nalias crypto-aes aes_x86\nalias crypto-aes aes_generic\n");
  EXPECT_EQ(tree().named("block-major-7-0"), Names{"loop"});
  EXPECT_EQ(tree().named("block-major-70-0"), Names{});
  EXPECT_EQ(tree().named("crypto-aes"), (Names{"aes_x86", "aes_generic"}));
}

TEST_F(TreeTest, WhatIsBuiltInNamesNoModule) {
  using namespace std::string_view_literals;
  file("modules.dep", "");
  file("modules.builtin", "kernel/fs/ext4/ext4.ko\n");
  file("modules.builtin.modinfo", "ext4.license=GPL\0ext4.alias=fs-ext3\0"sv);
  EXPECT_TRUE(tree().is_builtin("ext4"));
  EXPECT_TRUE(tree().is_builtin("fs-ext3"));
  EXPECT_FALSE(tree().is_builtin("fs-ext"));
  EXPECT_EQ(tree().named("fs-ext3"), Names{});
}

TEST_F(TreeTest, WithoutModulesDepThereIsAnError) { EXPECT_FALSE(Tree::read(directory.path())); }

}  // namespace
}  // namespace sbx::modules
