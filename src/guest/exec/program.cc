// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/program.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "base/text.h"
#include "base/value.h"
#include "guest/boot/accounts.h"
#include "guest/boot/first_processor.h"
#include "guest/exec/builtins.h"
#include "guest/exec/environment.h"
#include "guest/exec/lookup.h"
#include "guest/exec/privileges.h"
#include "guest/exec/process.h"
#include "guest/exec/terminal.h"

namespace sbx::guest {
namespace {

constexpr int kNotStarted = 125;
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;
constexpr std::size_t kLongestReport = 2048;  // with its JSON around it, one write that fits into an empty pipe

[[noreturn]] void give_up(const ProgramLaunch& launch, int code, const Error& error) {
  const std::string report = text_of(wire::ExecExit{code, 0, error.what().substr(0, kLongestReport)});
  (void)!::write(launch.report.get(), report.data(), report.size());
  ::_exit(code);
}

Result<> take_descriptors(const Ends& ends) {
  const Fd* from[] = {&ends.in, &ends.out, &ends.err};
  for (int number = 0; number < 3; ++number)
    if (::dup2(from[number]->get(), number) < 0) return fail_errno("connect a standard descriptor");
  return Ok{};
}

// The directory that was asked for, or the workspace: a program that starts elsewhere would work on the wrong files.
// Only a sandbox without a workspace has a choice.
Result<> enter_directory(const ProgramLaunch& launch, const Identity& identity) {
  const std::string& wanted = launch.request.directory.empty() ? launch.config.workspace : launch.request.directory;
  if (!wanted.empty())
    return ::chdir(wanted.c_str()) == 0 ? Result<>(Ok{}) : fail_errno("chdir to " + printable(wanted));
  for (const auto& directory : {identity.home, std::string("/")})
    if (!directory.empty() && ::chdir(directory.c_str()) == 0) return Ok{};
  return fail_errno("chdir to /");
}

// A copy to or from an absolute path needs no directory to start from.
bool needs_directory(const wire::ExecRequest& request) {
  return request.builtin == wire::Builtin::kNone || !request.path.starts_with('/');
}

// What the process keeps open besides the report.
std::vector<int> kept_descriptors(const ProgramLaunch& launch) {
  std::vector<int> kept{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  const bool needs_changes = launch.request.builtin == wire::Builtin::kChanges && launch.changes != nullptr;
  if (needs_changes) kept.push_back(launch.changes->get());
  return kept;
}

[[noreturn]] void run_own(const ProgramLaunch& launch) {
  close_all_but(kept_descriptors(launch));
  std::vector<std::string> mount_points;
  for (const wire::GuestMount& mount : launch.config.mounts) mount_points.push_back(mount.target);
  ::_exit(run_builtin(launch.request, {launch.changes, mount_points}));
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const auto& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

[[noreturn]] void run_command(const ProgramLaunch& launch, const Identity& identity) {
  const auto& command = launch.request.command;
  Variables environment = environment_of(launch.config, identity, launch.request.tty);
  add_preferences(environment, launch.config, launch.request.preferences);
  add(environment, launch.request.environment);
  const auto file = find_program(command.front(), value_of(environment, "PATH"));
  if (!file) give_up(launch, file.error().code() == Code::kNotFound ? kNotFound : kCannotRun, file.error());
  // Everything but the standard descriptors is born O_CLOEXEC; this is the belt to those braces.
  ::syscall(SYS_close_range, 3u, UINT_MAX, 4u /* CLOSE_RANGE_CLOEXEC */);
  ::execve(file->c_str(), pointers(command).data(), pointers(environment).data());
  const bool missing = errno == ENOENT;  // the interpreter of a script, or the loader
  give_up(launch, missing ? kNotFound : kCannotRun, Error::from_errno("exec \"" + printable(command.front()) + "\""));
}

}  // namespace

void run_program(const ProgramLaunch& launch) {
  if (const auto done = start_afresh(launch.config.max_processes, launch.descriptors); !done)
    give_up(launch, kNotStarted, done.error());
  if (const auto taken = take_descriptors(launch.ends); !taken) give_up(launch, kNotStarted, taken.error());
  const auto identity = resolve_user(launch.request.user);
  if (!identity) give_up(launch, kCannotRun, identity.error());
  if (launch.request.tty)
    if (const auto taken = take_terminal(launch.ends.in, *identity); !taken)
      give_up(launch, kNotStarted, taken.error());
  // SECURITY: once it has become root it has the rights of any root of the guest's, who then may try to take what it
  // has. The channel is not there any more.
  std::vector<int> kept = kept_descriptors(launch);
  kept.push_back(launch.report.get());
  close_all_but(std::move(kept));
  if (const auto done = become(*identity, launch.request.privileged); !done) give_up(launch, kNotStarted, done.error());
  if (const auto entered = enter_directory(launch, *identity); !entered && needs_directory(launch.request))
    give_up(launch, kCannotRun, entered.error());
  use_all_processors();
  if (launch.request.builtin != wire::Builtin::kNone) run_own(launch);
  run_command(launch, *identity);
}

}  // namespace sbx::guest
