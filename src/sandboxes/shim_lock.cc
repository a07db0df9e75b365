// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/shim_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

#include "base/lock.h"
#include "base/text.h"

namespace sbx::sandboxes {
namespace {

std::string lock_path(const std::string& state_directory) { return state_directory + "/shim.lock"; }

bool is_held(const Fd& file) {
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  ::flock(file.get(), LOCK_UN);
  return false;
}

pid_t signed_by(const Fd& file) {
  std::array<char, 32> text{};
  const ssize_t n = ::pread(file.get(), text.data(), text.size(), 0);
  const auto pid = parse_integer(std::string_view(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0));
  return pid && *pid > 1 && *pid <= INT32_MAX ? static_cast<pid_t>(*pid) : 0;
}

}  // namespace

Result<Fd> take_shim_lock(const std::string& state_directory) {
  TRY_ASSIGN(Fd file, open_path(lock_path(state_directory), O_RDWR | O_CREAT | O_NOFOLLOW));
  TRY_ASSIGN(const bool free, try_lock_file(file, lock_path(state_directory)));
  if (!free) return fail(Code::kConflict, "another shim lives in " + state_directory);
  // The last shim's pid may be another process's by now.
  if (::ftruncate(file.get(), 0) != 0) return fail_errno("empty " + lock_path(state_directory));
  return file;
}

int sign_shim_lock() {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), ::getpid()).ptr;
  const auto size = static_cast<std::size_t>(end - text.data());
  return ::pwrite(kLockInShim, text.data(), size, 0) == static_cast<ssize_t>(size) ? 0 : EIO;
}

Result<std::shared_ptr<const ShimProcess>> living_shim(const std::string& state_directory) {
  const auto file = open_path(lock_path(state_directory), O_RDONLY | O_NOFOLLOW);
  if (!file || !is_held(*file)) return nullptr;
  const pid_t pid = signed_by(*file);
  if (pid == 0) return fail(Code::kConflict, "a shim in " + state_directory + " is only just beginning");
  auto pidfd = open_pidfd(pid);
  // Asked again after the handle is there: only a lock that is still held proves that the pid was not given away.
  if (!pidfd || !is_held(*file)) return nullptr;
  return std::make_shared<const ShimProcess>(ShimProcess{pid, std::move(*pidfd)});
}

}  // namespace sbx::sandboxes
