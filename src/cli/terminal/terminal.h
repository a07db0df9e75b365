// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <termios.h>

#include <optional>

#include "base/fd.h"
#include "base/result.h"
#include "wire/frame.h"

namespace sbx::cli {

bool is_terminal(const Fd& fd);
std::optional<wire::WindowSize> window_size(const Fd& fd);

// A terminal whose every key is a byte for us, until the destructor puts it back as it was. The descriptor is borrowed.
class RawMode {
 public:
  static Result<RawMode> enter(const Fd& terminal);
  RawMode(RawMode&& other) noexcept : terminal_(std::exchange(other.terminal_, nullptr)), before_(other.before_) {}
  RawMode& operator=(RawMode&&) = delete;
  ~RawMode();

 private:
  RawMode(const Fd& terminal, const termios& before) : terminal_(&terminal), before_(before) {}

  const Fd* terminal_;
  termios before_;
};

}  // namespace sbx::cli
