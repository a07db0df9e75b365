// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::archive {

// Where an archive comes from: fills some of the buffer and says how much; 0 is EOF.
using Source = std::function<Result<std::size_t>(std::span<char> buffer)>;
// Where an archive goes: takes all of it or fails.
using Sink = std::function<Result<>(std::string_view bytes)>;

// Blocking I/O on a borrowed descriptor, which must outlive the function.
Source source_of(const Fd& fd);
Sink sink_of(const Fd& fd);

// A Source read in large pieces and handed out in small ones.
class BufferedSource {
 public:
  explicit BufferedSource(Source source);

  // Some bytes, without a copy; they are valid until the next call. Empty at EOF.
  Result<std::string_view> some(std::size_t most);
  // Exactly this many, or an error that says the archive is cut off.
  Result<> exactly(std::span<char> into);

 private:
  Source source_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace sbx::archive
