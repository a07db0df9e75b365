// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/kvm.h"

#include <gtest/gtest.h>

namespace sbx::backends {
namespace {

constexpr std::string_view kIntel = "processor\t: 0\nflags\t\t: fpu vme vmx ssse3\nbugs\t\t: spectre_v1\n";
constexpr std::string_view kAmd = "flags\t\t: fpu svm\n";
constexpr std::string_view kNone = "flags\t\t: fpu vme hypervisor\nvmx flags\t: ept vpid\nmodel name\t: vmx svm\n";

TEST(Kvm, TheProcessorsFlagDecidesAndNotTheNode) {
  EXPECT_EQ(kvm_check(kIntel, false, KvmNode::kForQemu).status, CheckStatus::kPass);
  EXPECT_EQ(kvm_check(kAmd, false, KvmNode::kForQemu).status, CheckStatus::kPass);
  EXPECT_EQ(kvm_check(kNone, false, KvmNode::kForQemu).status, CheckStatus::kWarn)
      << "a node without the flag cannot run a kernel";
  EXPECT_EQ(kvm_check("", false, KvmNode::kForQemu).status, CheckStatus::kWarn);
}

TEST(Kvm, WithTheFlagTheNodeHasToOpen) {
  EXPECT_EQ(kvm_check(kIntel, false, KvmNode::kUnusable).status, CheckStatus::kWarn);
  EXPECT_EQ(kvm_check("", true, KvmNode::kUnusable).status, CheckStatus::kWarn);
  EXPECT_EQ(kvm_check("", true, KvmNode::kForQemu).status, CheckStatus::kPass) << "on arm64 there is no flag";
}

TEST(Kvm, WhatIsMissingComesWithAHint) {
  for (const std::string_view cpuinfo : {kIntel, kNone})
    for (const KvmNode node : {KvmNode::kUnusable, KvmNode::kForCallerOnly, KvmNode::kForQemu}) {
      const Check check = kvm_check(cpuinfo, false, node);
      EXPECT_EQ(check.status == CheckStatus::kPass, check.hint.empty()) << check.message;
    }
}

// QEMU would be refused at start, when it is too late for another choice.
TEST(Kvm, ANodeThatOnlyItsCallerOpensIsNotUsed) {
  EXPECT_EQ(kvm_check(kIntel, false, KvmNode::kForCallerOnly).status, CheckStatus::kWarn);
  EXPECT_NE(kvm_check(kIntel, false, KvmNode::kForCallerOnly).hint.find("chgrp kvm"), std::string::npos);
}

TEST(Kvm, AsRootAGroupOfItsOwnOpensTheNodeToQemu) {
  constexpr gid_t kKvmGroup = 104;
  EXPECT_TRUE(opens_for(0660, kKvmGroup, qemu_groups(kKvmGroup))) << "as udev makes it";
  EXPECT_TRUE(opens_for(0666, 0, qemu_groups(0)));
  EXPECT_FALSE(opens_for(0600, 0, qemu_groups(0))) << "as devtmpfs makes it, without udev";
  EXPECT_FALSE(opens_for(0660, 0, qemu_groups(0))) << "QEMU is never in root's group";
  EXPECT_FALSE(opens_for(0640, kKvmGroup, qemu_groups(kKvmGroup)));
}

TEST(Kvm, AnOrdinaryUserHasToBeInItsGroup) {
  EXPECT_TRUE(opens_for(0660, 104, {100, 104}));
  EXPECT_FALSE(opens_for(0660, 104, {100})) << "an access list for the user alone does not reach QEMU";
}

}  // namespace
}  // namespace sbx::backends
