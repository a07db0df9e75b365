// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "daemon/instance.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "base/clock.h"
#include "base/file.h"
#include "base/format.h"
#include "base/lock.h"
#include "base/socket.h"

namespace sbx::daemon {
namespace {

constexpr off_t kLargestLog = 10 << 20;
constexpr std::chrono::milliseconds kBetweenTries{10};

bool is_same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// Which file this process runs, for clients that want to know whether it is still the one that is installed: the memory
// of a daemon is private (secrecy.h), and so is /proc/PID/exe then.
Result<> note_program(const Fd& lock) {
  struct stat program {};
  if (::stat("/proc/self/exe", &program) != 0) return fail_errno("look at the running program");
  if (::ftruncate(lock.get(), 0) != 0) return fail_errno("empty the lock file");
  return write_all(lock, sbx::format("{} {}\n", program.st_dev, program.st_ino));
}

}  // namespace

Result<> prepare_home(const Home& home) {
  TRY(make_directories(home.root(), 0700));
  struct stat info {};
  if (::stat(home.root().c_str(), &info) != 0) return fail_errno("stat " + home.root());
  if (info.st_uid != ::geteuid()) return fail(Code::kForbidden, home.root() + " belongs to another user");
  if ((info.st_mode & 077) != 0 && ::chmod(home.root().c_str(), 0700) != 0)
    return fail_errno("make " + home.root() + " private");
  return Ok{};
}

Result<std::optional<Fd>> take_instance_lock(const Home& home) {
  TRY_ASSIGN(Fd lock, open_path(home.lock(), O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  TRY_ASSIGN(const bool held, try_lock_file(lock, home.lock()));
  if (!held) return std::nullopt;
  TRY(note_program(lock));
  return std::optional<Fd>(std::move(lock));
}

Result<bool> await_other(const Home& home, std::chrono::milliseconds limit) {
  const SteadyTime deadline = steady_now() + limit;
  while (steady_now() < deadline) {
    if (connect_unix(home.socket())) return true;
    TRY_ASSIGN(const auto lock, take_instance_lock(home));
    if (lock) return false;
    std::this_thread::sleep_for(kBetweenTries);
  }
  return fail(Code::kTimeout, "another daemon holds " + home.lock() + " and does not serve", "sandbox daemon restart");
}

Result<> rotate_log(const Home& home) {
  struct stat log {};
  if (::stat(home.log().c_str(), &log) != 0 || log.st_size <= kLargestLog) return Ok{};
  struct stat error_stream {};
  const bool ours = ::fstat(STDERR_FILENO, &error_stream) == 0 && is_same_file(log, error_stream);
  if (::rename(home.log().c_str(), (home.log() + ".1").c_str()) != 0) return fail_errno("rotate " + home.log());
  TRY_ASSIGN(const Fd fresh, open_path(home.log(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600));
  if (ours && ::dup2(fresh.get(), STDERR_FILENO) < 0) return fail_errno("switch to " + home.log());
  return Ok{};
}

}  // namespace sbx::daemon
