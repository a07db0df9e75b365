// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "base/choice.h"

namespace sbx::wire {

// What keeps a guest from its host, weakest first, so that grades can be compared. Emulation is below gVisor although
// it has a kernel of its own, because QEMU's authors promise no isolation without hardware virtualization: a hole in
// the emulator is an ordinary bug to them. kUnknown, a grade that was not told or is a newer program's, is below all.
enum class Isolation { kUnknown, kContainer, kMicrovmEmulated, kGvisor, kMicrovm };
constexpr auto choices(Isolation) {
  return std::to_array<Choice<Isolation>>({{Isolation::kUnknown, ""},
                                           {Isolation::kContainer, "container"},
                                           {Isolation::kMicrovmEmulated, "microvm-emulated"},
                                           {Isolation::kGvisor, "gvisor"},
                                           {Isolation::kMicrovm, "microvm"}});
}

constexpr bool is_microvm(Isolation isolation) {
  return isolation == Isolation::kMicrovm || isolation == Isolation::kMicrovmEmulated;
}

}  // namespace sbx::wire
