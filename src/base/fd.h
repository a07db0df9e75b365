// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sbx {

// An owned file descriptor. Every one is born O_CLOEXEC; it is closed by the destructor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int number) : number_(number) {}
  Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Fd& operator=(Fd&& other) noexcept;
  ~Fd() { reset(); }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }
  void reset();

 private:
  int number_ = -1;
};

struct Pipe {
  Fd read;
  Fd write;
};

struct SocketPair {
  Fd ours;
  Fd theirs;
};

Result<Pipe> make_pipe();
Result<SocketPair> make_socket_pair();  // stream, both ends O_CLOEXEC
// For a child that does not exec: everything that its parent had open and that is not its own.
void close_all_but(std::vector<int> kept);
Result<Fd> duplicate(const Fd& fd);
Result<> set_nonblocking(const Fd& fd, bool on = true);

// Open a path that we made ourselves. Paths from outside go through open_beneath.
Result<Fd> open_path(const std::string& path, int flags, unsigned mode = 0600);
// Open relative to a directory, refusing to leave it by "..", an absolute path or any symbolic link (openat2).
Result<Fd> open_beneath(const Fd& directory, const std::string& path, int flags, unsigned mode = 0600);

// Open an absolute path of which no component may be a symbolic link: for a path that was made canonical earlier, and
// that may have been changed since (TOCTOU).
Result<Fd> open_without_links(const std::string& path, int flags);

// Blocking, whole-buffer I/O; EINTR is handled. read_all stops at `limit` bytes with kTooLarge.
Result<> write_all(const Fd& fd, std::string_view bytes);
Result<std::string> read_all(const Fd& fd, std::size_t limit);

}  // namespace sbx
