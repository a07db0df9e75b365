// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/terminal_modes.h"

namespace sbx::shim {

// The newest output of a program on a terminal, a bounded ring. Its bytes are numbered from the program's first on, and
// the number of a byte never changes:
//
//   for (std::uint64_t at = output.begin(); at < output.end();) {
//     const std::string_view some = output.from(at);
//     at += some.size();
//   }
class TerminalOutput {
 public:
  explicit TerminalOutput(std::size_t capacity) : capacity_(capacity) {}

  void append(std::string_view bytes);
  std::uint64_t begin() const { return begin_; }  // the oldest that is kept
  std::uint64_t end() const { return end_; }      // the next to come
  // Some bytes from this number on, as many as lie together; none at the end. At least begin().
  std::string_view from(std::uint64_t number) const;
  // Only the newest are kept from now on, and no more come: it has ended.
  void keep(std::size_t bytes);

  // Where a terminal may begin that is to show the newest `bytes` or less: at a line if one begins there.
  struct Beginning {
    std::uint64_t number;
    std::string modes;  // to be told to it first
  };
  Beginning newest(std::size_t bytes) const;

 private:
  void drop(std::uint64_t until);
  std::uint64_t line_after(std::uint64_t number) const;

  std::size_t capacity_;
  std::string bytes_;  // that of a number is at the number modulo the capacity
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  TerminalModes modes_;  // after what is not kept any more
};

}  // namespace sbx::shim
