// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace sbx::channel {

// Bytes between a read and the frames in it. Never zero-filled and moved only when the tail does not fit, because
// every byte of a guest's output passes through one.
class Buffer {
 public:
  std::string_view unread() const { return {bytes_.get() + begin_, end_ - begin_}; }
  // Room for `size` more bytes; what was unread stays, at another address.
  std::span<char> space(std::size_t size);
  void filled(std::size_t size) { end_ += size; }
  void consumed(std::size_t size);

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace sbx::channel
