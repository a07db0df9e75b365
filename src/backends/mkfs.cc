// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/mkfs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/child.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/text.h"
#include "idmap/idmap.h"

namespace sbx::backends {
namespace {

Result<Fd> locked_image(const std::string& path) {
  TRY_ASSIGN(Fd file, open_path(path, O_RDWR | O_CREAT | O_NOFOLLOW));
  TRY(lock_file(file, path));
  return file;
}

// Not any more, when the process that had the lock before us renamed or removed it.
bool is_at(const Fd& file, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.get(), &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

Result<> fill_and_rename(const Fd& file, const std::string& temporary, const std::string& path, unsigned mode,
                         const Fill& fill, Survives what) {
  if (::ftruncate(file.get(), 0) != 0) return fail_errno("empty " + temporary);
  TRY(fill(file, temporary));
  if (::fchmod(file.get(), mode) != 0) return fail_errno("set the mode of " + temporary);
  const bool sync = what == Survives::kPowerCut;
  if (sync && ::fsync(file.get()) != 0) return fail_errno("sync " + temporary);
  if (::rename(temporary.c_str(), path.c_str()) != 0) return fail_errno("rename to " + path);
  return sync ? sync_directory_of(path) : Ok{};
}

// One line of what a program said: the last, unless another is plainer.
std::string reason(const std::string& said) {
  const std::string full = std::strerror(ENOSPC);
  if (said.find(full) != std::string::npos) return full;
  return printable(trimmed(split(trimmed(said), '\n').back()));
}

}  // namespace

Result<> make_once(const std::string& path, unsigned mode, const Fill& fill, Survives what) {
  const std::string temporary = path + ".tmp";
  while (!exists(path)) {
    TRY_ASSIGN(const Fd file, locked_image(temporary));
    if (!is_at(file, temporary)) continue;
    // It may have been made between the look and the lock.
    const auto made = exists(path) ? Result<>(Ok{}) : fill_and_rename(file, temporary, path, mode, fill, what);
    if (is_at(file, temporary)) ::unlink(temporary.c_str());
    return made;
  }
  return Ok{};
}

Result<> run_mkfs(const Mkfs& mkfs, const Fd& file) {
  const std::string& program = mkfs.argv.front();
  if (!find_program(program))
    return fail(Code::kUnavailable, program + " is not installed", "sudo apt-get install " + mkfs.package);
  TRY_ASSIGN(Pipe err, make_pipe());
  Command command;
  command.argv = mkfs.argv;
  command.before_exec = mkfs.before_exec;
  // In a language that we know, and without a user's own defaults for such programs.
  command.environment = std::vector<std::string>{"LC_ALL=C"};
  command.stderr_fd = err.write.get();
  command.passed_fds = {file.get()};
  TRY_ASSIGN(Child child, mkfs.who == As::kGuestRoot ? idmap::start_as_guest_root(command) : Child::start(command));
  err.write.reset();
  TRY_ASSIGN(const std::string said, read_all(err.read, 16u << 20));
  TRY_ASSIGN(const Exit exit, child.wait());
  if (exit.code == 0) return Ok{};
  if (said.empty()) return fail(Code::kInternal, program + " failed with code " + std::to_string(exit.code));
  return fail(Code::kInternal, program + ": " + reason(said));
}

}  // namespace sbx::backends
