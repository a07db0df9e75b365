// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/isolation_note.h"

#include <gtest/gtest.h>

namespace sbx::sandboxes {
namespace {

const backends::Check kNoKvm{"KVM", backends::CheckStatus::kWarn, "/dev/kvm cannot be opened", "sudo modprobe kvm"};
const backends::Check kKvm{"KVM", backends::CheckStatus::kPass, "vmx, /dev/kvm opens", ""};

TEST(IsolationNote, AContainerThatNobodyAskedForSaysWhyItIsOne) {
  EXPECT_EQ(
      isolation_note(wire::Isolation::kContainer, false, kNoKvm),
      "Isolation is a container, which shares the host's kernel: /dev/kvm cannot be opened (try: sudo modprobe kvm). "
      "--backend microvm gives it a machine of its own, emulated and slow.");
  EXPECT_EQ(isolation_note(wire::Isolation::kContainer, true, kNoKvm), "");
}

TEST(IsolationNote, AnEmulatedMachineSaysSoAlsoIfItWasAskedFor) {
  for (const bool chosen : {true, false})
    EXPECT_EQ(isolation_note(wire::Isolation::kMicrovmEmulated, chosen, kNoKvm),
              "The machine is emulated, and slow: /dev/kvm cannot be opened (try: sudo modprobe kvm).");
}

TEST(IsolationNote, OfTheBestThereIsNothingToSay) {
  EXPECT_EQ(isolation_note(wire::Isolation::kMicrovm, false, kKvm), "");
  EXPECT_EQ(isolation_note(wire::Isolation::kGvisor, true, kNoKvm), "");
}

}  // namespace
}  // namespace sbx::sandboxes
