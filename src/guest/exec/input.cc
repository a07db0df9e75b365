// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/input.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sbx::guest {

Input::Input(loop::Loop& loop, Fd fd, OnWritten on_written)
    : loop_(loop), fd_(std::move(fd)), on_written_(std::move(on_written)) {
  // Asks for nothing until the pipe is full.
  if (fd_) loop_.watch(fd_, EPOLLOUT, [this](std::uint32_t) { flush(); });
  if (fd_) loop_.change(fd_, 0);
}

Input::~Input() { loop_.forget(fd_); }

Result<> Input::take(std::string_view bytes) {
  if (waiting_.size() - begin_ + bytes.size() > wire::kWindow)
    return fail(Code::kInvalid, "more standard input than the window allows");
  std::size_t written = 0;
  if (waiting_.empty()) written = write_some(bytes);
  waiting_.append(bytes.substr(written));
  if (!waiting_.empty()) loop_.change(fd_, EPOLLOUT);
  if (written > 0) on_written_(written);
  return Ok{};
}

void Input::finish() {
  finishing_ = true;
  if (waiting_.empty()) close();
}

// How much of it is dealt with.
std::size_t Input::write_some(std::string_view bytes) {
  std::size_t done = 0;
  while (fd_ && done < bytes.size()) {
    const ssize_t n = ::write(fd_.get(), bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return done;
    if (n < 0) close();  // EPIPE: the program has closed its input
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return bytes.size();
}

void Input::flush() {
  const std::size_t written = write_some(std::string_view(waiting_).substr(begin_));
  begin_ += written;
  if (begin_ == waiting_.size()) {
    waiting_ = {};
    begin_ = 0;
    if (finishing_) close();
    loop_.change(fd_, 0);
  } else if (begin_ > wire::kWindow / 4) {
    waiting_.erase(0, std::exchange(begin_, 0));
  }
  if (written > 0) on_written_(written);
}

void Input::close() {
  loop_.forget(fd_);
  fd_.reset();
}

}  // namespace sbx::guest
