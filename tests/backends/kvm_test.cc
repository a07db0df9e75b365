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
  EXPECT_EQ(kvm_check(kIntel, false, true).status, "pass");
  EXPECT_EQ(kvm_check(kAmd, false, true).status, "pass");
  EXPECT_EQ(kvm_check(kNone, false, true).status, "warn") << "a node without the flag cannot run a kernel";
  EXPECT_EQ(kvm_check("", false, true).status, "warn");
}

TEST(Kvm, WithTheFlagTheNodeHasToOpen) {
  EXPECT_EQ(kvm_check(kIntel, false, false).status, "warn");
  EXPECT_EQ(kvm_check("", true, false).status, "warn");
  EXPECT_EQ(kvm_check("", true, true).status, "pass") << "on arm64 there is no flag";
}

TEST(Kvm, WhatIsMissingComesWithAHint) {
  for (const std::string_view cpuinfo : {kIntel, kNone})
    for (const bool opens : {true, false}) {
      const Check check = kvm_check(cpuinfo, false, opens);
      EXPECT_EQ(check.status == "pass", check.hint.empty()) << check.message;
    }
}

}  // namespace
}  // namespace sbx::backends
