// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/attach_output.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/format.h"
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
  if (header_.kind == wire::Kind::kOut) return take_output(bytes);
  if (header_.kind == wire::Kind::kErr) return write(err_, bytes);
  text_ += bytes;
  return Ok{};
}

Result<> AttachOutput::finish_frame() {
  head_size_ = 0;
  switch (header_.kind) {
    case wire::Kind::kExit: {
      TRY_ASSIGN(exit_, value_in<wire::ExecExit>(text_, "exit", Unknown::kIgnored));
      return Ok{};
    }
    case wire::Kind::kOpened:
      // Of what is no session it has no number.
      if (const auto opened = value_in<wire::SessionOpened>(text_, "opened", Unknown::kIgnored))
        session_ = opened->session;
      return Ok{};
    case wire::Kind::kPosition: {
      TRY_ASSIGN(const auto position, value_in<wire::OutputPosition>(text_, "position", Unknown::kIgnored));
      return take_position(position);
    }
    default:
      return Ok{};
  }
}

Result<> AttachOutput::take_position(const wire::OutputPosition& position) {
  old_ = std::max<std::int64_t>(position.live - position.from, 0);
  const std::string skipped = sbx::format("[sandbox: {} bytes of output were skipped]", position.skipped);
  if (!on_terminal_) return position.skipped == 0 ? Ok{} : write(err_, skipped + "\n");
  std::string first = again_.rest();
  again_ = ReplayFilter();
  if (position.skipped != 0) first += modes_.to_reset() + "\r\n" + skipped + "\r\n";
  first += position.modes;
  modes_.feed(first);
  return write(out_, first);
}

Result<> AttachOutput::take_output(std::string_view bytes) {
  if (!on_terminal_) return write(out_, bytes);
  if (old_ > 0) {
    const std::string_view old = bytes.substr(0, static_cast<std::size_t>(old_));
    bytes.remove_prefix(old.size());
    TRY(show_again(old));
  }
  modes_.feed(bytes);
  TRY(write(out_, bytes));
  return on_link_ ? show_links(bytes) : Ok{};
}

Result<> AttachOutput::show_links(std::string_view bytes) {
  for (const std::string& address : links_.feed(bytes)) TRY(write(out_, on_link_(address, LinkAge::kNew)));
  return Ok{};
}

Result<> AttachOutput::show_again(std::string_view bytes) {
  std::string shown = again_.shown(bytes);
  old_ -= static_cast<std::int64_t>(bytes.size());
  if (old_ == 0) shown += again_.rest();
  modes_.feed(shown);
  TRY(write(out_, shown));
  if (!on_link_) return Ok{};
  if (auto links = links_.feed(bytes); !links.empty()) last_link_ = std::move(links.back());
  return old_ == 0 ? finish_again() : Ok{};
}

Result<> AttachOutput::finish_again() {
  const std::string address = std::exchange(last_link_, {});
  return address.empty() ? Ok{} : write(out_, on_link_(address, LinkAge::kOld));
}

void AttachOutput::restore() {
  if (const std::string reset = modes_.to_reset(); !reset.empty()) (void)write(out_, reset);
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
