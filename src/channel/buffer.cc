// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "channel/buffer.h"

#include <algorithm>
#include <cstring>

namespace sbx::channel {

std::span<char> Buffer::space(std::size_t size) {
  const std::size_t held = end_ - begin_;
  if (capacity_ - end_ < size) {
    if (capacity_ < held + size) {
      capacity_ = held + std::max(held, 2 * size);
      auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
      if (held > 0) std::memcpy(larger.get(), bytes_.get() + begin_, held);
      bytes_ = std::move(larger);
    } else if (held > 0) {
      std::memmove(bytes_.get(), bytes_.get() + begin_, held);
    }
    begin_ = 0;
    end_ = held;
  }
  return {bytes_.get() + end_, size};
}

void Buffer::consumed(std::size_t size) {
  begin_ += size;
  if (begin_ == end_) begin_ = end_ = 0;
}

}  // namespace sbx::channel
