// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/stream.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sbx::archive {
namespace {

constexpr std::size_t kInputBuffer = 256u << 10;

}  // namespace

Source source_of(const Fd& fd) {
  return [&fd](std::span<char> buffer) -> Result<std::size_t> {
    for (;;) {
      const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) return fail_errno("read the archive");
    }
  };
}

Sink sink_of(const Fd& fd) {
  return [&fd](std::string_view bytes) -> Result<> {
    TRY_WITHIN("write the archive", write_all(fd, bytes));
    return Ok{};
  };
}

BufferedSource::BufferedSource(Source source) : source_(std::move(source)), buffer_(kInputBuffer, '\0') {}

Result<std::string_view> BufferedSource::some(std::size_t most) {
  if (begin_ == end_) {
    TRY_ASSIGN(end_, source_(buffer_));
    begin_ = 0;
  }
  const std::size_t size = std::min(most, end_ - begin_);
  const std::string_view bytes(buffer_.data() + begin_, size);
  begin_ += size;
  return bytes;
}

Result<> BufferedSource::exactly(std::span<char> into) {
  while (!into.empty()) {
    TRY_ASSIGN(const std::string_view bytes, some(into.size()));
    if (bytes.empty()) return fail(Code::kInvalid, "the archive is cut off");
    std::copy(bytes.begin(), bytes.end(), into.begin());
    into = into.subspan(bytes.size());
  }
  return Ok{};
}

}  // namespace sbx::archive
