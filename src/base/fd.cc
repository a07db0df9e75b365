// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/fd.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

namespace sbx {

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

void Fd::reset() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail_errno("make a pipe");
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

Result<SocketPair> make_socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return fail_errno("make a socket pair");
  return SocketPair{Fd(ends[0]), Fd(ends[1])};
}

// A range at a time, between those that are kept.
void close_all_but(std::vector<int> kept) {
  std::ranges::sort(kept);
  unsigned next = 0;
  for (const int fd : kept) {
    if (static_cast<unsigned>(fd) > next) ::syscall(SYS_close_range, next, static_cast<unsigned>(fd) - 1, 0u);
    next = static_cast<unsigned>(fd) + 1;
  }
  ::syscall(SYS_close_range, next, UINT_MAX, 0u);
}

Result<Fd> duplicate(const Fd& fd) {
  const int copy = ::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return fail_errno("duplicate a descriptor");
  return Fd(copy);
}

Result<> set_nonblocking(const Fd& fd, bool on) {
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (flags < 0) return fail_errno("read descriptor flags");
  const int wanted = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
  if (::fcntl(fd.get(), F_SETFL, wanted) != 0) return fail_errno("set descriptor flags");
  return Ok{};
}

Result<Fd> open_path(const std::string& path, int flags, unsigned mode) {
  Fd fd(::open(path.c_str(), flags | O_CLOEXEC, mode));
  if (!fd) return fail_errno("open " + path);
  return fd;
}

Result<Fd> open_beneath(const Fd& directory, const std::string& path, int flags, unsigned mode) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
  // openat2 refuses a mode that it has no use for. O_TMPFILE contains the bit of O_DIRECTORY.
  how.mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Fd fd(static_cast<int>(::syscall(SYS_openat2, directory.get(), path.c_str(), &how, sizeof how)));
  if (!fd) return fail_errno("open " + path);
  return fd;
}

Result<Fd> open_without_links(const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Fd fd(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
  if (!fd && errno == ELOOP) return fail(Code::kConflict, path + " now leads through a symbolic link");
  if (!fd) return fail_errno("open " + path);
  return fd;
}

Result<> write_all(const Fd& fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("write");
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return Ok{};
}

Result<std::string> read_all(const Fd& fd, std::size_t limit) {
  std::string out;
  std::array<char, 16384> buffer;
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("read");
    if (n == 0) return out;
    if (out.size() + static_cast<std::size_t>(n) > limit)
      return fail(Code::kTooLarge, "larger than " + std::to_string(limit) + " bytes");
    out.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace sbx
