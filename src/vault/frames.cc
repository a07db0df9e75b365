// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/frames.h"

#include <cstring>

namespace sbx::vault {
namespace {

constexpr std::size_t kHeader = 1 + sizeof(std::uint32_t);

std::uint32_t size_at(std::string_view bytes) {
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data() + 1, sizeof size);
  return size;
}

}  // namespace

std::string frame(std::uint8_t kind, std::string_view bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::string out;
  out.reserve(kHeader + bytes.size());
  out += static_cast<char>(kind);
  out.append(reinterpret_cast<const char*>(&size), sizeof size).append(bytes);
  return out;
}

// How many bytes the first frame has, its header included; 0: it is not whole.
Result<std::size_t> FrameReader::whole_at(std::string_view bytes) const {
  if (bytes.size() < kHeader) return std::size_t{0};
  const std::uint32_t size = size_at(bytes);
  if (static_cast<std::uint8_t>(bytes.front()) > last_kind_ || size > kLargestFrame)
    return fail(Code::kInvalid, "a frame between shim and vault makes no sense");
  return bytes.size() < kHeader + size ? 0 : kHeader + size;
}

Result<> FrameReader::take(std::string_view bytes, const OnFrame& on_frame) {
  std::string joined = std::exchange(begun_, {});
  if (!joined.empty()) bytes = joined.append(bytes);
  for (;;) {
    TRY_ASSIGN(const std::size_t whole, whole_at(bytes));
    if (whole == 0) break;
    const auto kind = static_cast<std::uint8_t>(bytes.front());
    if (!on_frame(kind, bytes.substr(kHeader, whole - kHeader))) return Ok{};
    bytes.remove_prefix(whole);
  }
  begun_ = bytes;
  return Ok{};
}

}  // namespace sbx::vault
