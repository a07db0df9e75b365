// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/attempt.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::backends::qemu {
namespace {

class AnAttempt : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(write_file(log_, "qemu-system-x86_64: of an earlier start\n")); }
  void log(const std::string& text) {
    const auto file = open_path(log_, O_WRONLY | O_APPEND);
    ASSERT_TRUE(file);
    ASSERT_TRUE(write_all(*file, text));
  }
  static Hardware hardware() {
    Hardware hardware;
    hardware.program = "/usr/bin/qemu-system-x86_64";
    hardware.firmware = {"/usr/share/qemu/qboot.rom", true};
    return hardware;
  }

  sbx::testing::TemporaryDirectory directory_;
  std::string log_ = directory_ / "shim.log";
};

TEST_F(AnAttempt, TellsWhatTheMachineWasMadeOf) {
  auto attempt = Attempt::begin(log_);
  ASSERT_TRUE(attempt);
  attempt->made_of(hardware(), "/cache/kernel");
  EXPECT_EQ(attempt->told(),
            "tried /usr/bin/qemu-system-x86_64 emulating, firmware /usr/share/qemu/qboot.rom, kernel /cache/kernel; "
            "QEMU said nothing");
}

TEST_F(AnAttempt, TellsTheLastComplaintsOfThisStart) {
  auto attempt = Attempt::begin(log_);
  ASSERT_TRUE(attempt);
  attempt->made_of(hardware(), "/cache/kernel");
  log("2026-01-01 error of the shim's own\nqemu-system-x86_64: Could not access KVM: \x1b[31mPermission denied\n");
  const std::string told = attempt->told();
  EXPECT_NE(told.find("Permission denied"), std::string::npos) << told;
  EXPECT_EQ(told.find('\x1b'), std::string::npos) << "printable";
  EXPECT_EQ(told.find("earlier"), std::string::npos) << told;
  EXPECT_EQ(told.find("shim's own"), std::string::npos) << told;
}

TEST_F(AnAttempt, IsBoundedWhateverIsInTheLog) {
  auto attempt = Attempt::begin(log_);
  ASSERT_TRUE(attempt);
  for (int i = 0; i < 1000; ++i) log("qemu-system-x86_64: " + std::string(1000, 'x') + "\n");
  EXPECT_LT(attempt->told().size(), 1000u);
}

}  // namespace
}  // namespace sbx::backends::qemu
