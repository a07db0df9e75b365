// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sbx::vault {

// Overwrites secrets in a stream of bytes with asterisks, wherever the stream is cut into pieces. It knows nothing of
// HTTP: heads and bodies, and what follows an upgrade, are the same to it, and their lengths stay what they are.
//
// What may be the beginning of a secret cannot be kept back for ever: it may be the last byte of a response, for which
// the client waits. So up to a quarter of the secret, and 16 bytes, is passed on when a piece ends there; if the secret
// does follow, the rest of it is overwritten. Secrets of less than kShortest bytes are not looked for: they would be
// found everywhere.
class Mask {
 public:
  static constexpr std::size_t kShortest = 8;

  Mask() = default;
  ~Mask();
  Mask(const Mask&) = delete;
  Mask& operator=(const Mask&) = delete;

  void add(std::string_view secret);

  // What can be passed on now. Valid until the next call.
  std::string_view pass(std::string_view bytes);
  // The stream has ended: what was kept back.
  std::string_view rest();

 private:
  void overwrite();
  std::size_t kept_back() const;

  std::vector<std::string> secrets_;
  std::string window_;     // what was passed on and may belong to a secret, then what is new
  std::size_t shown_ = 0;  // bytes at the front of the window that were passed on
};

}  // namespace sbx::vault
