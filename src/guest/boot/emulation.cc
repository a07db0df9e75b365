// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/emulation.h"

#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sbx::guest {

// QEMU's emulator says its name where a hypervisor would.
bool is_emulated() {
#if defined(__x86_64__)
  unsigned highest = 0;
  unsigned name[3] = {};
  __cpuid(0x40000000, highest, name[0], name[1], name[2]);
  return std::memcmp(name, "TCGTCGTCGTCG", sizeof name) == 0;
#else
  return false;
#endif
}

}  // namespace sbx::guest
