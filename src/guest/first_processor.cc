// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/first_processor.h"

#include <sched.h>

#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sbx::guest {
namespace {

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

}  // namespace

void stay_on_first_processor() {
  if (!is_emulated()) return;
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  ::sched_setaffinity(0, sizeof first, &first);
}

// The kernel leaves out those that are not there.
void use_all_processors() {
  if (!is_emulated()) return;
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof all);
  ::sched_setaffinity(0, sizeof all, &all);
}

}  // namespace sbx::guest
