// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "base/mutex.h"
#include "base/result.h"

namespace sbx::guest {

// Where sockets for programs behind the wall are, if they are made elsewhere.
inline constexpr const char* kOfferedSockets = "/run/sandbox";

// A process that runs `child`, which must not return.
Result<pid_t> fork_to(const std::function<void()>& child);

// SECURITY: keeps programs of a container from the unix sockets of the host's that lie, or appear later, in shared
// directories. A program behind the wall reaches the sockets that were made behind it, and those below
// kOfferedSockets, where no shared directory can be; to connect to any other is EACCES. This is Landlock, where the
// kernel has the right for it.
//
// There is one wall for all programs, so that one exec reaches the sockets of another. Nothing can go behind a wall
// that is there already, but what is forked behind it stays behind it: a thread that has raised the wall for itself
// forks. Landlock also forbids every mount, and so a privileged exec is forked elsewhere.
class SocketWall {
 public:
  // Null: this kernel has no such right.
  static Result<std::unique_ptr<SocketWall>> raise();
  ~SocketWall();
  SocketWall(const SocketWall&) = delete;
  SocketWall& operator=(const SocketWall&) = delete;

  // As fork_to, behind the wall.
  Result<pid_t> fork(const std::function<void()>& child);

 private:
  SocketWall() = default;
  void work();

  Mutex mutex_;
  Condition changed_;
  std::optional<Result<>> raised_ SBX_GUARDED_BY(mutex_);
  const std::function<void()>* child_ SBX_GUARDED_BY(mutex_) = nullptr;
  std::optional<Result<pid_t>> forked_ SBX_GUARDED_BY(mutex_);
  bool closing_ SBX_GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace sbx::guest
