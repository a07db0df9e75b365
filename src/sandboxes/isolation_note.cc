// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/isolation_note.h"

namespace sbx::sandboxes {

std::string isolation_note(wire::Isolation isolation, bool chosen, const backends::Check& kvm) {
  const std::string help = kvm.hint.empty() ? "" : " (try: " + kvm.hint + ")";
  const std::string why = kvm.status == backends::CheckStatus::kPass ? "" : ": " + kvm.message + help;
  if (isolation == wire::Isolation::kMicrovmEmulated) return "The machine is emulated, and slow" + why + ".";
  if (isolation != wire::Isolation::kContainer || chosen) return {};
  return "Isolation is a container, which shares the host's kernel" + why +
         ". --backend microvm gives it a machine of its own, emulated and slow.";
}

}  // namespace sbx::sandboxes
