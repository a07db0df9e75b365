// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "daemon/secrecy.h"

#include <malloc.h>
#include <string.h>
#include <sys/prctl.h>

#include <cstdlib>
#include <new>

// A sanitizer has its own, which finds more than it would wipe.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Not inlined: beside a call of the library's operator new the compiler would take free() for a mistake.
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  ::explicit_bzero(memory, ::malloc_usable_size(memory));
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { ::operator delete(memory); }
void operator delete[](void* memory) noexcept { ::operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { ::operator delete(memory); }
#endif

namespace sbx::daemon {

Result<> keep_memory_private() {
  if (::prctl(PR_SET_DUMPABLE, 0) != 0) return fail_errno("become undumpable");
  return Ok{};
}

}  // namespace sbx::daemon
