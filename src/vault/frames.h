// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

// What goes over the socket pair of one connection to a bound host: frames, each a kind, a length and that many bytes.
namespace sbx::vault {

inline constexpr std::size_t kLargestFrame = 64u << 10;

// From the shim.
enum class ToVault : std::uint8_t {
  kHead,  // a BoundRequest
  kBody,  // bytes of its body; after an upgrade, whatever they are
  kEnd,   // of the body, also of an empty one
};
// From the vault.
enum class ToShim : std::uint8_t {
  kUsed,     // the name of the credential that the request gets; before its response
  kData,     // bytes of the server
  kEnd,      // the server has closed, as it should; without it the connection was cut off
  kRefused,  // why the request is not sent; the last
};

template <class Kind>
struct Frame {
  Kind kind;
  std::string_view bytes;
};

std::string frame(std::uint8_t kind, std::string_view bytes);
template <class Kind>
std::string frame(Kind kind, std::string_view bytes) {
  return frame(static_cast<std::uint8_t>(kind), bytes);
}

// Finds frames in bytes. A frame that is too large, or of a kind that there is not, is an error: the last word.
class FrameReader {
 public:
  using OnFrame = std::function<bool(std::uint8_t kind, std::string_view bytes)>;  // false: no more are wanted

  explicit FrameReader(std::uint8_t last_kind) : last_kind_(last_kind) {}
  // Calls for each frame that is whole. The reader may be destroyed in a call that returns false.
  Result<> take(std::string_view bytes, const OnFrame& on_frame);

 private:
  Result<std::size_t> whole_at(std::string_view bytes) const;

  std::uint8_t last_kind_;
  std::string begun_;  // a frame that is not whole
};

}  // namespace sbx::vault
