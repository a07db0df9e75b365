// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace sbx::cli {

bool is_terminal(const Fd& fd) { return ::isatty(fd.get()) == 1; }

std::optional<wire::WindowSize> window_size(const Fd& fd) {
  winsize size{};
  if (::ioctl(fd.get(), TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return std::nullopt;
  return wire::WindowSize{size.ws_row, size.ws_col};
}

Result<RawMode> RawMode::enter(const Fd& terminal) {
  termios before{};
  if (::tcgetattr(terminal.get(), &before) != 0) return fail_errno("read the terminal's settings");
  termios raw = before;
  ::cfmakeraw(&raw);
  if (::tcsetattr(terminal.get(), TCSANOW, &raw) != 0) return fail_errno("change the terminal's settings");
  return RawMode(terminal, before);
}

RawMode::~RawMode() {
  if (terminal_ != nullptr) ::tcsetattr(terminal_->get(), TCSANOW, &before_);
}

}  // namespace sbx::cli
