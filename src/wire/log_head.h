// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sbx::wire {

// The output of detached execs is numbered by its bytes, also when the oldest of it was dropped to keep output.log
// small: then the file begins with a line that says how much that was. The shim writes it, the daemon reads it.
//
//   const LogHead head = LogHead::of(first_bytes_of_the_file);
//   head.number_at(offset)   // of the byte there
struct LogHead {
  static constexpr std::size_t kLongest = 80;

  std::int64_t dropped = 0;  // bytes; the first that is kept has this number
  std::int64_t size = 0;     // of the line itself; 0: there is none, and nothing was dropped

  static LogHead after(std::int64_t dropped);
  // A program may print the same as its first words. Then its own numbers are others, and nothing else is.
  static LogHead of(std::string_view beginning);
  std::string line() const;

  // The line counts as the last of what was dropped.
  std::int64_t number_at(std::int64_t offset) const { return dropped - size + offset; }
  // Of what is not kept any more, the beginning of the file.
  std::int64_t offset_of(std::int64_t number) const { return number < dropped ? 0 : number - dropped + size; }
};

}  // namespace sbx::wire
