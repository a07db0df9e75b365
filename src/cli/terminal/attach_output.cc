// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/attach_output.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/value.h"

namespace sbx::cli {

Result<> AttachOutput::feed(std::string_view bytes) {
  while (!bytes.empty() && !exit_ && !closed_) {
    if (head_size_ < head_.size()) {
      TRY(take_header(bytes));
      continue;
    }
    const std::string_view payload = bytes.substr(0, left_);
    TRY(take_payload(payload));
    bytes.remove_prefix(payload.size());
    left_ -= payload.size();
    if (left_ == 0) TRY(finish_frame());
  }
  return Ok{};
}

Result<> AttachOutput::take_header(std::string_view& bytes) {
  const std::size_t taken = std::min(bytes.size(), head_.size() - head_size_);
  std::copy_n(bytes.data(), taken, head_.data() + head_size_);
  head_size_ += taken;
  bytes.remove_prefix(taken);
  if (head_size_ < head_.size()) return Ok{};
  TRY_ASSIGN(header_, wire::decode_header(head_));
  left_ = header_.length;
  text_.clear();
  return left_ == 0 ? finish_frame() : Ok{};
}

Result<> AttachOutput::take_payload(std::string_view bytes) {
  if (header_.kind == wire::Kind::kOut) return write(out_, bytes);
  if (header_.kind == wire::Kind::kErr) return write(err_, bytes);
  text_ += bytes;
  return Ok{};
}

Result<> AttachOutput::finish_frame() {
  head_size_ = 0;
  if (header_.kind != wire::Kind::kExit) return Ok{};
  TRY_ASSIGN(const Json json, parse_json(text_));
  TRY_ASSIGN(exit_, value_of<wire::ExecExit>(json, "exit", Unknown::kIgnored));
  return Ok{};
}

Result<> AttachOutput::write(const Fd& fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd.get(), bytes.data(), bytes.size());
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {  // our parent process made it non-blocking
      pollfd writable{fd.get(), POLLOUT, 0};
      ::poll(&writable, 1, -1);
    } else if (errno == EPIPE) {
      closed_ = true;
      return Ok{};
    } else if (errno != EINTR) {
      return fail_errno("write the command's output");
    }
  }
  return Ok{};
}

}  // namespace sbx::cli
