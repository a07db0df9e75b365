// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/output.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace sbx::guest {
namespace {

constexpr std::size_t kMostQueued = 1u << 20;  // on the link, before every program has to wait
constexpr int kLargePipe = 1 << 20;
constexpr ssize_t kFullPipe = 64 << 10;
constexpr int kMostReads = 4;  // of one program, before others have their turn

}  // namespace

std::size_t Outlet::room() const {
  if (!listening) return buffer.size();
  return link.queued() > kMostQueued ? 0 : std::min(credit, buffer.size());
}

void Outlet::pass(wire::Kind kind, std::size_t size) {
  passed += size;
  if (!listening) return;
  credit -= size;
  link.send(kind, stream, {buffer.data(), size});
}

void enlarge_pipe(const Fd& end) { ::fcntl(end.get(), F_SETPIPE_SZ, kLargePipe); }

Output::Output(loop::Loop& loop, Fd fd, wire::Kind kind, Outlet& outlet, std::function<void()> on_end)
    : loop_(loop), fd_(std::move(fd)), kind_(kind), outlet_(outlet), on_end_(std::move(on_end)) {}

Output::~Output() { loop_.forget(fd_); }

void Output::start() {
  if (ended() || std::exchange(watched_, true)) return;
  loop_.watch(fd_, EPOLLIN, [this](std::uint32_t) { (void)read_some(); });
}

void Output::resume() {
  if (!stalled_ || outlet_.room() == 0) return;
  stalled_ = false;
  loop_.change(fd_, EPOLLIN);
}

void Output::read_rest() {
  for (int reads = 0; reads < kMostReads && !ended() && read_some();) ++reads;
}

bool Output::read_some() {
  const std::size_t room = outlet_.room();
  if (room == 0) {
    stalled_ = true;
    loop_.change(fd_, 0);
    return false;
  }
  const ssize_t n = ::read(fd_.get(), outlet_.buffer.data(), room);
  // Not from the beginning: most programs say little, and all would wait for it.
  if (n >= kFullPipe && !std::exchange(enlarged_, true)) enlarge_pipe(fd_);
  if (n > 0) {
    outlet_.pass(kind_, static_cast<std::size_t>(n));
    return true;
  }
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  end();  // EIO is a terminal's EOF: its last slave was closed
  return false;
}

void Output::end() {
  loop_.forget(fd_);
  fd_.reset();
  on_end_();
}

}  // namespace sbx::guest
