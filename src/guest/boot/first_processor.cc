// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/first_processor.h"

#include <sched.h>

#include <cstring>

#include "guest/boot/emulation.h"

namespace sbx::guest {

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
