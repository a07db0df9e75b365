// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/isolation_note.h"

#include <gtest/gtest.h>

namespace sbx::sandboxes {
namespace {

const backends::Check kNoKvm{"KVM", backends::CheckStatus::kWarn, "/dev/kvm cannot be opened", "sudo modprobe kvm"};
const backends::Check kKvm{"KVM", backends::CheckStatus::kPass, "vmx, /dev/kvm opens", ""};

TEST(IsolationNote, AContainerThatNobodyAskedForSaysWhyItIsOne) {
  EXPECT_EQ(isolation_note(wire::Isolation::kContainer, false, kNoKvm),
            "This sandbox is a container, no microVM: /dev/kvm cannot be opened (sandbox diagnose)");
  EXPECT_EQ(isolation_note(wire::Isolation::kContainer, true, kNoKvm), "");
}

TEST(IsolationNote, AnEmulatedMachineSaysSoAlsoIfItWasAskedFor) {
  for (const bool chosen : {true, false})
    EXPECT_EQ(isolation_note(wire::Isolation::kMicrovmEmulated, chosen, kNoKvm),
              "This microVM is emulated and slow: /dev/kvm cannot be opened (sandbox diagnose)");
}

TEST(IsolationNote, OfTheBestThereIsNothingToSay) {
  EXPECT_EQ(isolation_note(wire::Isolation::kMicrovm, false, kKvm), "");
  EXPECT_EQ(isolation_note(wire::Isolation::kGvisor, true, kNoKvm), "");
}

}  // namespace
}  // namespace sbx::sandboxes
