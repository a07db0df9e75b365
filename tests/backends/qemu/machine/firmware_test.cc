// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/firmware.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::backends::qemu {
namespace {

constexpr const char* kQboot = "/usr/share/qemu/qboot.rom";
constexpr const char* kSeabios = "/usr/share/seabios/bios-microvm.bin";
constexpr const char* kEither = "/usr/share/qemu/bios-microvm.bin";

class FirmwareOf : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(make_directories(root_.path() + "/usr/share/qemu", 0755));
    ASSERT_TRUE(make_directories(root_.path() + "/usr/share/seabios", 0755));
  }
  void install(const std::string& path) { ASSERT_TRUE(write_file(root_.path() + path, "rom")); }
  Result<Firmware> found() const { return find_firmware(root_.path()); }

  sbx::testing::TemporaryDirectory root_;
};

TEST_F(FirmwareOf, Debian12IsQbootWhichLoadsKernels) {
  install(kQboot);
  install(kEither);
  const auto firmware = found();
  ASSERT_TRUE(firmware);
  EXPECT_EQ(firmware->path, kQboot);
  EXPECT_TRUE(firmware->loads_kernels);
}

TEST_F(FirmwareOf, Debian13IsQbootAlthoughQemuWouldTakeSeabios) {
  install(kSeabios);
  install(kQboot);
  const auto firmware = found();
  ASSERT_TRUE(firmware);
  EXPECT_EQ(firmware->path, kQboot);
}

TEST_F(FirmwareOf, SeabiosNeedsAnOptionRom) {
  install(kSeabios);
  const auto firmware = found();
  ASSERT_TRUE(firmware);
  EXPECT_EQ(firmware->path, kSeabios);
  EXPECT_FALSE(firmware->loads_kernels);
}

TEST_F(FirmwareOf, AFileThatMayBeEitherIsTakenForTheOneThatNeedsMore) {
  install(kEither);
  const auto firmware = found();
  ASSERT_TRUE(firmware);
  EXPECT_FALSE(firmware->loads_kernels);
}

TEST_F(FirmwareOf, AHostWithoutAnyIsToldThePackage) {
  const auto firmware = found();
  ASSERT_FALSE(firmware);
  EXPECT_EQ(firmware.error().code(), Code::kUnavailable);
  EXPECT_NE(firmware.error().hint().find("qemu-system-data"), std::string::npos);
}

TEST(Firmware, ThisHostHasOne) {
  if (::access("/usr/bin/qemu-system-x86_64", X_OK) != 0) GTEST_SKIP() << "QEMU is not installed";
  EXPECT_TRUE(find_firmware());
}

}  // namespace
}  // namespace sbx::backends::qemu
