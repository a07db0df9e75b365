// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/secret.h"

#include <sodium.h>

#include <cstdlib>
#include <cstring>

namespace sbx::secrets {

void start_sodium() {
  static const bool started = ::sodium_init() >= 0;
  if (!started) std::abort();
}

Secret::Secret(std::size_t size) : size_(size) {
  start_sodium();
  bytes_ = static_cast<unsigned char*>(::sodium_malloc(size));
  if (bytes_ == nullptr) std::abort();
  ::sodium_memzero(bytes_, size_);
}

Secret Secret::copy_of(std::string_view bytes) {
  Secret secret(bytes.size());
  if (!bytes.empty()) std::memcpy(secret.bytes_, bytes.data(), bytes.size());
  return secret;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  return *this;
}

Secret::~Secret() { ::sodium_free(bytes_); }

}  // namespace sbx::secrets
