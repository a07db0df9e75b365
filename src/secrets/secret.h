// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace sbx::secrets {

// Bytes that are worth keeping from swap, core dumps and from what is allocated next: in pages of their own, between
// guard pages, locked as far as RLIMIT_MEMLOCK allows, left out of core dumps, and wiped by the destructor.
//
//   const Secret key = Secret::copy_of(text);
//   use(key.view());
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::size_t size);  // zeros
  static Secret copy_of(std::string_view bytes);
  Secret(Secret&& other) noexcept
      : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Secret& operator=(Secret&& other) noexcept;
  ~Secret();

  std::size_t size() const { return size_; }
  unsigned char* data() { return bytes_; }
  const unsigned char* data() const { return bytes_; }
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes_), size_}; }

 private:
  unsigned char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

// Before the first use of libsodium in any thread; every Secret calls it.
void start_sodium();

}  // namespace sbx::secrets
