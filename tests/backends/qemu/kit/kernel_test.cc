// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/kernel.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/qemu/sample_kernel.h"

namespace sbx::backends::qemu {
namespace {

// A host with kernels, in a directory that anybody may enter.
class KernelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::chmod(host.path().c_str(), 0755), 0);
    ASSERT_TRUE(make_directories(host / "boot", 0755));
    ASSERT_TRUE(make_directories(host / "lib/modules", 0755));
  }
  void image(const std::string& release, unsigned mode = 0644) {
    const std::string path = host / "boot/vmlinuz-" + release;
    ASSERT_TRUE(write_file(path, testing::sample_bzimage("", release), mode));
  }
  void modules(const std::string& release) {
    ASSERT_TRUE(make_directories(host / "lib/modules/" + release, 0755));
    ASSERT_TRUE(write_file(host / "lib/modules/" + release + "/modules.dep", "", 0644));
  }
  void kernel(const std::string& release, unsigned mode = 0644) {
    image(release, mode);
    modules(release);
  }
  std::string found() {
    const auto kernel = find_kernel({}, host.path());
    return kernel ? kernel->release : kernel.error().what();
  }

  testing::TemporaryDirectory host;
};

TEST_F(KernelTest, NumbersAreComparedAsNumbers) {
  for (const char* release :
       {"6.1.0-9-cloud-amd64", "6.1.0-54-cloud-amd64", "6.1.0-10-cloud-amd64", "5.10.0-99-cloud-amd64"})
    kernel(release);
  const auto kernel = find_kernel({}, host.path());
  ASSERT_TRUE(kernel) << kernel.error().what();
  EXPECT_EQ(kernel->release, "6.1.0-54-cloud-amd64");
  EXPECT_EQ(kernel->image, host / "boot/vmlinuz-6.1.0-54-cloud-amd64");
  EXPECT_EQ(kernel->modules, host / "lib/modules/6.1.0-54-cloud-amd64");
}

TEST_F(KernelTest, ACloudKernelComesBeforeANewerOne) {
  kernel("6.1.0-9-cloud-amd64");
  kernel("6.12.0-1-amd64");
  EXPECT_EQ(found(), "6.1.0-9-cloud-amd64");
}

TEST_F(KernelTest, WithoutModulesItIsOfNoUse) {
  image("6.1.0-54-cloud-amd64");
  kernel("6.1.0-9-cloud-amd64");
  EXPECT_EQ(found(), "6.1.0-9-cloud-amd64");
}

TEST_F(KernelTest, AnyKernelWillDo) {
  kernel("6.8.0-31-generic");
  kernel("6.8.0-4-generic");
  EXPECT_EQ(found(), "6.8.0-31-generic");
}

TEST_F(KernelTest, FedoraKeepsThemWithTheModules) {
  modules("6.9.7-200.fc40.x86_64");
  ASSERT_TRUE(write_file(host / "lib/modules/6.9.7-200.fc40.x86_64/vmlinuz", "x", 0644));
  const auto kernel = find_kernel({}, host.path());
  ASSERT_TRUE(kernel) << kernel.error().what();
  EXPECT_EQ(kernel->image, host / "lib/modules/6.9.7-200.fc40.x86_64/vmlinuz");
}

TEST_F(KernelTest, WhenThereIsNoneTheHintIsHowToGetOne) {
  const auto kernel = find_kernel({}, host.path());
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code(), Code::kUnavailable);
  EXPECT_NE(kernel.error().hint().find("packages/kernel"), std::string::npos);
}

TEST_F(KernelTest, ModulesThatAreMissingAreNamed) {
  image("6.1.0-9-amd64");
  const auto kernel = find_kernel({}, host.path());
  ASSERT_FALSE(kernel);
  EXPECT_NE(kernel.error().what().find(host / "lib/modules/6.1.0-9-amd64"), std::string::npos) << kernel.error().what();
}

// Ubuntu's images are root's alone.
class UnreadableKernelTest : public KernelTest {
 protected:
  std::string found_by_another() {
    if (::geteuid() != 0) return found();
    EXPECT_EQ(::seteuid(65534), 0);
    const std::string release = found();
    EXPECT_EQ(::seteuid(0), 0);
    return release;
  }
};

TEST_F(UnreadableKernelTest, IsPassedOver) {
  kernel("6.8.0-31-generic", 0);
  kernel("6.8.0-30-generic");
  EXPECT_EQ(found_by_another(), "6.8.0-30-generic");
}

TEST_F(UnreadableKernelTest, IsTheReasonWhenThereIsNoOther) {
  kernel("6.8.0-31-generic", 0);
  EXPECT_EQ(found_by_another(),
            "no kernel for machines: this user may not read " + host / "boot/vmlinuz-6.8.0-31-generic");
}

TEST_F(KernelTest, TheConfiguredOneIsTakenWithItsModules) {
  kernel("6.1.0-54-cloud-amd64");
  ASSERT_TRUE(write_file(host / "mine", testing::sample_elf(), 0644));
  modules("6.99-mine");
  const auto kernel = find_kernel({host / "mine", host / "lib/modules/6.99-mine/"}, host.path());
  ASSERT_TRUE(kernel) << kernel.error().what();
  EXPECT_EQ(kernel->image, host / "mine");
  EXPECT_EQ(kernel->modules, host / "lib/modules/6.99-mine");
  EXPECT_EQ(kernel->release, "6.99-mine");
}

TEST_F(KernelTest, TheConfiguredOneSaysWhichModulesAreIts) {
  modules("6.99-mine");
  ASSERT_TRUE(write_file(host / "mine", testing::sample_bzimage("", "6.99-mine"), 0644));
  const auto kernel = find_kernel({host / "mine", ""}, host.path());
  ASSERT_TRUE(kernel) << kernel.error().what();
  EXPECT_EQ(kernel->modules, host / "lib/modules/6.99-mine");
  EXPECT_EQ(kernel->release, "6.99-mine");
}

TEST_F(KernelTest, AConfigurationThatCannotBeIsNotReplacedByWhatIsThere) {
  kernel("6.1.0-54-cloud-amd64");
  ASSERT_TRUE(write_file(host / "elf", testing::sample_elf(), 0644));
  ASSERT_TRUE(write_file(host / "bzimage", testing::sample_bzimage("", "6.99-other"), 0644));
  for (const Settings& settings :
       {Settings{host / "nowhere", ""}, Settings{host / "elf", ""}, Settings{host / "bzimage", ""},
        Settings{host / "bzimage", host / "boot"}, Settings{"", host / "lib/modules/6.1.0-54-cloud-amd64"}}) {
    const auto kernel = find_kernel(settings, host.path());
    ASSERT_FALSE(kernel) << settings.kernel << " " << settings.modules;
    EXPECT_NE(kernel.error().hint(), "");
  }
}

}  // namespace
}  // namespace sbx::backends::qemu
