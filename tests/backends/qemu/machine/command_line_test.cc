// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/command_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "support/golden.h"

namespace sbx::backends::qemu {
namespace {

Hardware example_hardware(bool kvm) {
  Hardware hardware;
  hardware.program = "/usr/bin/qemu-system-x86_64";
  hardware.kvm = kvm;
  hardware.cpus = 2;
  hardware.memory = 2ll << 30;
  hardware.memory_file = "/memory/guest";
  hardware.firmware = {"/usr/share/qemu/qboot.rom", true};
  hardware.kernel = "/kernel";
  hardware.initramfs = "/initramfs";
  hardware.tsc_khz = 2793436;
  hardware.template_fd = 3;
  hardware.disk_fd = 4;
  hardware.channel_fd = 5;
  hardware.console_fd = 6;
  hardware.shared_fd = 7;
  return hardware;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool mentions(const std::vector<std::string>& words, std::string_view text) {
  return std::any_of(words.begin(), words.end(),
                     [&](const auto& word) { return word.find(text) != std::string::npos; });
}

TEST(QemuCommand, IsAsItWas) {
  testing::expect_golden("qemu/emulated.txt", join(qemu_command(example_hardware(false)), "\n") + "\n");
  testing::expect_golden("qemu/kvm.txt", join(qemu_command(example_hardware(true)), "\n") + "\n");
}

// Whatever QEMU would take by itself: its default starts no kernel in Debian 13.
TEST(QemuCommand, NamesItsFirmwareAndGivesItWhatItNeeds) {
  Hardware hardware = example_hardware(false);
  EXPECT_TRUE(has(qemu_command(hardware), "/usr/share/qemu/qboot.rom"));
  EXPECT_TRUE(mentions(qemu_command(hardware), "x-option-roms=off"));
  hardware.firmware = {"/usr/share/seabios/bios-microvm.bin", false};
  EXPECT_TRUE(has(qemu_command(hardware), "/usr/share/seabios/bios-microvm.bin"));
  EXPECT_TRUE(mentions(qemu_command(hardware), "x-option-roms=on"));
}

TEST(QemuCommand, HasNoCardAndNoBus) {
  for (const bool kvm : {false, true})
    for (const char* unwanted : {"-netdev", "-nic", "virtio-net", "pci", "usb", "-vga", "spice", "-qmp", "-vnc"})
      EXPECT_FALSE(mentions(qemu_command(example_hardware(kvm)), unwanted)) << unwanted;
}

TEST(QemuCommand, DeniesEverythingThatItsFilterCanDeny) {
  EXPECT_TRUE(has(qemu_command(example_hardware(true)),
                  "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"));
}

TEST(QemuCommand, TheTemplateCannotBeWritten) {
  int drives = 0;
  for (const auto& word : qemu_command(example_hardware(true))) {
    if (word.find("driver=") == std::string::npos || word.find("template") == std::string::npos) continue;
    EXPECT_NE(word.find("read-only=on"), std::string::npos) << word;
    ++drives;
  }
  EXPECT_EQ(drives, 2);
}

TEST(KernelCommandLine, KeepsItsProtectionsOnRealProcessors) {
  const std::string line = kernel_command_line(example_hardware(true));
  for (const char* weakness : {"mitigations=off", "norandmaps", "init_on_alloc=0"})
    EXPECT_EQ(line.find(weakness), std::string::npos);
}

TEST(KernelCommandLine, LetsOnlyTheFirstEmulatedProcessorBoot) {
  EXPECT_NE(kernel_command_line(example_hardware(false)).find(" maxcpus=1 "), std::string::npos);
  EXPECT_EQ(kernel_command_line(example_hardware(true)).find("maxcpus"), std::string::npos);
}

TEST(KernelCommandLine, TellsInitToKeepNoSpareWhereThatIsSwitchedOff) {
  ASSERT_EQ(::setenv("SANDBOXD_WITHOUT", "spare", 1), 0);
  const std::string line = kernel_command_line(example_hardware(false));
  ASSERT_EQ(::unsetenv("SANDBOXD_WITHOUT"), 0);
  EXPECT_TRUE(line.ends_with(" SANDBOXD_WITHOUT=spare -- --boot")) << line;
}

TEST(KernelCommandLine, SaysNothingOfTheSandbox) {
  Hardware other = example_hardware(false);
  other.disk_fd = 40;
  other.memory = 4ll << 30;
  EXPECT_EQ(kernel_command_line(example_hardware(false)), kernel_command_line(other));
}

TEST(VirtiofsdCommand, IsAsItWasForBothFlavours) {
  FileServer server{"/usr/lib/qemu/virtiofsd", Flavour::kC, 3, "/shared"};
  testing::expect_golden("qemu/virtiofsd_c.txt", join(virtiofsd_command(server), "\n") + "\n");
  server = {"/usr/libexec/virtiofsd", Flavour::kRust, 3, "/shared", true};
  testing::expect_golden("qemu/virtiofsd_rust.txt", join(virtiofsd_command(server), "\n") + "\n");
}

// Which it cannot raise for an ordinary user whose hard limit is lower than what it would ask for.
TEST(VirtiofsdCommand, LeavesTheLimitOfDescriptorsAlone) {
  for (const Flavour flavour : {Flavour::kC, Flavour::kRust})
    EXPECT_TRUE(has(virtiofsd_command({"/virtiofsd", flavour, 3, "/shared"}), "--rlimit-nofile=0"));
}

TEST(VirtiofsdCommand, HasNoOptionThatTheProgramDoesNotKnow) {
  EXPECT_FALSE(has(virtiofsd_command({"/virtiofsd", Flavour::kRust, 3, "/shared", false}), "--allow-mmap"));
}

}  // namespace
}  // namespace sbx::backends::qemu
