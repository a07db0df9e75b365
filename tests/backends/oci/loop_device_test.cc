// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/loop_device.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "support/temporary_directory.h"

namespace sbx::backends::oci {
namespace {

class LoopDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto works = loop_devices_work(); !works) GTEST_SKIP() << works.error().what();
    image = open_image();
    ASSERT_TRUE(image);
    ASSERT_EQ(::ftruncate(image.get(), 1 << 20), 0);
  }
  Fd open_image() {
    auto opened = open_path(path, O_RDWR | O_CREAT);
    return opened ? std::move(*opened) : Fd();
  }
  static std::string backing_of(const LoopDevice& loop) {
    const auto text = read_file("/sys/block" + loop.path.substr(4) + "/loop/backing_file");
    return text ? std::string(trimmed(*text)) : "";
  }
  // The kernel frees a device a moment after its last user has gone.
  bool lock_is_free_in_time() {
    const Fd other = open_image();
    const SteadyTime deadline = steady_now() + std::chrono::seconds(20);
    while (::flock(other.get(), LOCK_EX | LOCK_NB) != 0) {
      if (steady_now() > deadline) return false;
      ::usleep(1000);
    }
    return true;
  }

  sbx::testing::TemporaryDirectory directory;
  std::string path = directory / "disk.raw";
  Fd image;
};

TEST_F(LoopDeviceTest, ShowsTheImage) {
  const auto loop = attach_loop_device(image);
  ASSERT_TRUE(loop) << loop.error().what();
  EXPECT_EQ(backing_of(*loop), path);
  ASSERT_EQ(::pwrite(loop->device.get(), "guest", 5, 8192), 5);
  ASSERT_EQ(::fsync(loop->device.get()), 0);
  char bytes[5];
  ASSERT_EQ(::pread(image.get(), bytes, 5, 8192), 5);
  EXPECT_EQ(std::string(bytes, 5), "guest");
}

TEST_F(LoopDeviceTest, KeepsTheLockOfTheImageUntilItIsFreeAgain) {
  ASSERT_EQ(::flock(image.get(), LOCK_EX | LOCK_NB), 0);
  auto loop = attach_loop_device(image);
  ASSERT_TRUE(loop) << loop.error().what();
  image.reset();
  EXPECT_NE(::flock(open_image().get(), LOCK_EX | LOCK_NB), 0) << "a second mount of the image would destroy it";
  loop->device.reset();
  EXPECT_TRUE(lock_is_free_in_time());
}

TEST_F(LoopDeviceTest, ManyAtOnceAreDifferent) {
  std::vector<LoopDevice> loops;
  for (int i = 0; i < 12; ++i) {
    auto loop = attach_loop_device(image);
    ASSERT_TRUE(loop) << loop.error().what();
    for (const auto& other : loops) EXPECT_NE(other.path, loop->path);
    loops.push_back(std::move(*loop));
  }
}

}  // namespace
}  // namespace sbx::backends::oci
