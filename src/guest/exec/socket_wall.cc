// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/socket_wall.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/landlock.h"

namespace sbx::guest {
namespace {

constexpr int kDidNotRun = 125;

// The first member of the kernel's structure, which is all that version 1 of the interface had.
struct Handled {
  std::uint64_t access_fs;
};

Result<> allow_below(const Fd& rules, const char* directory) {
  TRY(make_directories(directory, 0755));
  TRY_ASSIGN(const Fd place, open_path(directory, O_PATH | O_DIRECTORY));
  landlock_path_beneath_attr rule{};
  rule.allowed_access = kLandlockResolveUnix;
  rule.parent_fd = place.get();
  if (::syscall(SYS_landlock_add_rule, rules.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
    return fail_errno(std::string("allow the sockets below ") + directory);
  return Ok{};
}

// For the calling thread and what it forks. It needs CAP_SYS_ADMIN, because no_new_privs would take sudo away.
Result<> raise_for_this_thread() {
  const Handled handled{kLandlockResolveUnix};
  const Fd rules(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0)));
  if (!rules) return fail_errno("make rules for sockets");
  TRY(allow_below(rules, kOfferedSockets));
  if (::syscall(SYS_landlock_restrict_self, rules.get(), 0) != 0)
    return fail_errno("keep programs from the host's sockets");
  return Ok{};
}

}  // namespace

Result<pid_t> fork_to(const std::function<void()>& child) {
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno("fork");
  if (pid > 0) return pid;
  child();
  ::_exit(kDidNotRun);
}

Result<std::unique_ptr<SocketWall>> SocketWall::raise() {
  if (landlock_version() < kLandlockWithResolveUnix) return nullptr;
  std::unique_ptr<SocketWall> wall(new SocketWall);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the thread with the loop
  wall->thread_ = std::thread([&wall = *wall] { wall.work(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  MutexLock lock(wall->mutex_);
  while (!wall->raised_) wall->changed_.wait(lock);
  TRY(*wall->raised_);
  lock.unlock();
  return wall;
}

SocketWall::~SocketWall() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Result<pid_t> SocketWall::fork(const std::function<void()>& child) {
  MutexLock lock(mutex_);
  child_ = &child;
  changed_.notify_all();
  while (!forked_) changed_.wait(lock);
  auto forked = std::move(*forked_);
  forked_.reset();
  return forked;
}

void SocketWall::work() {
  MutexLock lock(mutex_);
  raised_ = raise_for_this_thread();
  changed_.notify_all();
  for (;;) {
    while (child_ == nullptr && !closing_) changed_.wait(lock);
    if (child_ == nullptr) return;
    forked_ = fork_to(*std::exchange(child_, nullptr));
    changed_.notify_all();
  }
}

}  // namespace sbx::guest
