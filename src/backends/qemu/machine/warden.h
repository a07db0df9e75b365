// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// A process that can do one thing: kill the processes that it was posted for. It does so when it is told to, and when
// its shim has ended, however that came. It is there because a confined shim has no right to do it: QEMU and virtiofsd
// have other user ids, and not even the signal that a parent's death sends gets through.
class Warden {
 public:
  // While we still have the privileges; it takes along what it needs of them.
  static Result<Warden> post(const std::vector<const Fd*>& pidfds);

  pid_t pid() const { return pid_; }  // a child of the calling process; without it the others could outlive us
  void kill() { leash_.reset(); }

 private:
  Warden(pid_t pid, Fd leash) : pid_(pid), leash_(std::move(leash)) {}
  pid_t pid_;
  Fd leash_;
};

}  // namespace sbx::backends::qemu
