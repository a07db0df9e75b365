// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace sbx {

// How a process ended. `code` is the shell's: the exit status, or 128 + signal.
struct Exit {
  int code = 0;
  int signal = 0;  // 0 when it exited by itself
  static Exit from_wait_status(int status);
};

// What to start and with what. argv is a vector and never a shell line; argv[0] is looked up in PATH.
struct Command {
  std::vector<std::string> argv;
  std::optional<std::vector<std::string>> environment{};  // "K=V"; absent: ours is inherited
  std::string directory{};                                // empty: ours
  // Descriptors for 0, 1 and 2; -1 means /dev/null. Borrowed for the duration of start().
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  // These get the numbers 3, 4, ... in the child. Everything else is closed on exec.
  std::vector<int> passed_fds{};
  // New ones for the child: CLONE_NEWNS, CLONE_NEWPID, ...
  std::uint64_t namespaces = 0;
  // Runs in the child just before exec. Only async-signal-safe calls, unless the caller has but one thread; returns 0
  // or an errno.
  std::function<int()> before_exec{};
};

// A child process that we own: killed (SIGKILL) and reaped by the destructor unless it was waited for or released.
// It is passive: the owner watches pidfd() and calls wait() when it is readable.
//   TRY_ASSIGN(Child child, Child::start({.argv = {"true"}}));
//   TRY_ASSIGN(const Exit exit, child.wait());
class Child {
 public:
  // The error of a failed exec (ENOENT, ...) is returned here, not as an exit code.
  static Result<Child> start(const Command& command);

  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  pid_t pid() const { return pid_; }
  const Fd& pidfd() const { return pidfd_; }
  Result<Exit> wait();                                                    // blocks
  Result<std::optional<Exit>> wait_for(std::chrono::milliseconds limit);  // nullopt: still running
  Result<> signal(int number);
  pid_t release();  // the destructor does not kill it any more

 private:
  Child(pid_t pid, Fd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}
  void end();

  pid_t pid_ = -1;
  Fd pidfd_;
};

struct RunOutput {
  Exit exit;
  std::string out;
  std::string err;  // the last 64 KiB at most
};

// Run to the end and collect what it says (16 MiB of stdout at most). For short programs: newuidmap, runc --version.
Result<RunOutput> run(Command command, std::chrono::milliseconds limit = std::chrono::seconds(60));

// The file that start() would run for this name, or nothing.
std::optional<std::string> find_program(const std::string& name);

Result<Fd> open_pidfd(pid_t pid);

}  // namespace sbx
