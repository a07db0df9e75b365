// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/frame.h"

#include <string>

namespace sbx::wire {
namespace {

bool known(std::uint8_t kind) {
  return (kind >= 1 && kind <= 7) || (kind >= 16 && kind <= 27) || (kind >= 32 && kind <= 34);
}

std::uint32_t u32_at(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

void put_u32(char* into, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) into[i] = static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace

Result<Header> decode_header(std::span<const char, kHeaderSize> bytes) {
  const Header header{u32_at(bytes.data()), u32_at(bytes.data() + 4), static_cast<Kind>(bytes[8])};
  if (!known(static_cast<std::uint8_t>(bytes[8])))
    return fail(Code::kInvalid, "frame of unknown kind " + std::to_string(static_cast<unsigned char>(bytes[8])));
  if (bytes[9] != 0 || bytes[10] != 0 || bytes[11] != 0) return fail(Code::kInvalid, "frame with reserved bytes set");
  if (header.length > kLargestPayload)
    return fail(Code::kInvalid, "frame of " + std::to_string(header.length) + " bytes");
  return header;
}

std::array<char, kHeaderSize> encode(const Header& header) {
  std::array<char, kHeaderSize> bytes{};
  put_u32(bytes.data(), header.length);
  put_u32(bytes.data() + 4, header.stream);
  bytes[8] = static_cast<char>(header.kind);
  return bytes;
}

std::array<char, 4> encode_u32(std::uint32_t value) {
  std::array<char, 4> bytes{};
  put_u32(bytes.data(), value);
  return bytes;
}

std::optional<std::uint32_t> decode_u32(std::string_view payload) {
  if (payload.size() != 4) return std::nullopt;
  return u32_at(payload.data());
}

std::array<char, 4> encode(WindowSize size) {
  return encode_u32(static_cast<std::uint32_t>(size.rows) | static_cast<std::uint32_t>(size.columns) << 16);
}

std::optional<WindowSize> decode_window_size(std::string_view payload) {
  const auto both = decode_u32(payload);
  if (!both) return std::nullopt;
  return WindowSize{static_cast<std::uint16_t>(*both & 0xffff), static_cast<std::uint16_t>(*both >> 16)};
}

}  // namespace sbx::wire
