// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/lock.h"

#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace sbx {

Result<> lock_file(const Fd& file, const std::string& path) {
  while (::flock(file.get(), LOCK_EX) != 0)
    if (errno != EINTR) return fail_errno("lock " + path);
  return Ok{};
}

Result<bool> try_lock_file(const Fd& file, const std::string& path) {
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return true;
  if (errno != EWOULDBLOCK && errno != EINTR) return fail_errno("lock " + path);
  return false;
}

Result<bool> lock_file_until(const Fd& file, const std::string& path, SteadyTime deadline) {
  for (;;) {
    TRY_ASSIGN(const bool held, try_lock_file(file, path));
    if (held || steady_now() > deadline) return held;
    ::usleep(1000);
  }
}

}  // namespace sbx
