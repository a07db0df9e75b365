// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/isolation_note.h"

namespace sbx::sandboxes {

std::string isolation_note(wire::Isolation isolation, bool chosen, const backends::Check& kvm) {
  const std::string why = kvm.status == backends::CheckStatus::kPass ? "" : ": " + kvm.message;
  if (isolation == wire::Isolation::kMicrovmEmulated)
    return "This microVM is emulated and slow" + why + " (sandbox diagnose)";
  if (isolation != wire::Isolation::kContainer || chosen) return {};
  return "This sandbox is a container, no microVM" + why + " (sandbox diagnose)";
}

}  // namespace sbx::sandboxes
