// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/reaper.h"

#include <sys/wait.h>

#include <cerrno>

namespace sbx::guest {

bool reap_children(const std::function<void(pid_t pid, int status)>& ended) {
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid > 0) {
      ended(pid, status);
      continue;
    }
    if (pid == 0) return true;
    if (errno != EINTR) return false;
  }
}

}  // namespace sbx::guest
