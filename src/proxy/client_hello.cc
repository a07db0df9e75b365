// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/client_hello.h"

#include <algorithm>
#include <cstdint>

#include "base/big_endian.h"

namespace sbx::proxy {
namespace {

constexpr std::uint8_t kHandshake = 22;
constexpr std::uint8_t kClientHello = 1;
constexpr std::size_t kRecordHeader = 5;
constexpr std::size_t kLargestRecord = 16384;
constexpr std::uint16_t kServerName = 0;
constexpr std::uint16_t kAlpn = 16;

Failure bad_hello(std::string why) { return fail(Code::kInvalid, "TLS ClientHello: " + std::move(why)); }

std::uint8_t byte(char c) { return static_cast<std::uint8_t>(c); }

// The handshake message, out of the records around it. Nothing: it is not complete.
Result<std::optional<std::string>> gather(std::string_view bytes) {
  std::string message;
  while (bytes.size() >= kRecordHeader) {
    if (byte(bytes[0]) != kHandshake || byte(bytes[1]) != 3) return bad_hello("a record that is no part of it");
    const std::size_t size = big_endian(bytes.substr(3, 2));
    if (size == 0 || size > kLargestRecord) return bad_hello("a record of a size that none has");
    message += bytes.substr(kRecordHeader, size);
    if (message.size() >= 4) {
      BigEndianReader start(message);
      if (start.number(1) != kClientHello) return bad_hello("another message");
      const std::size_t length = start.number(3);
      if (length > kLargestHello) return bad_hello("too large");
      if (message.size() - 4 > length) return bad_hello("bytes after it");
      if (message.size() - 4 == length) return message.substr(4);
    }
    bytes.remove_prefix(std::min(bytes.size(), kRecordHeader + size));
  }
  return std::nullopt;
}

Result<> read_server_name(std::string_view bytes, ClientHello& hello) {
  BigEndianReader reader(bytes);
  BigEndianReader list(reader.part(2));
  if (reader.more() || hello.server_name) return bad_hello("two server names");
  while (list.more()) {
    const std::size_t type = list.number(1);
    const std::string_view name = list.part(2);
    if (!list.good() || type != 0 || name.empty() || hello.server_name) return bad_hello("bad server name");
    if (name.find('\0') != std::string_view::npos) return bad_hello("a zero in the server name");
    hello.server_name = name;
  }
  if (!reader.good() || !hello.server_name) return bad_hello("bad server name");
  return Ok{};
}

Result<> read_protocols(std::string_view bytes, ClientHello& hello) {
  BigEndianReader reader(bytes);
  BigEndianReader list(reader.part(2));
  while (list.more()) hello.protocols.emplace_back(list.part(1));
  if (!reader.good() || reader.more() || !list.good()) return bad_hello("bad protocol list");
  return Ok{};
}

Result<> read_extension(std::size_t type, std::string_view bytes, ClientHello& hello) {
  if (type == kServerName) return read_server_name(bytes, hello);
  if (type == kAlpn) return read_protocols(bytes, hello);
  return Ok{};
}

Result<ClientHello> read_message(std::string_view message) {
  BigEndianReader reader(message);
  reader.bytes(2 + 32);  // version and random
  reader.part(1);        // session
  reader.part(2);        // cipher suites
  reader.part(1);        // compression methods
  if (!reader.good()) return bad_hello("cut off");
  ClientHello hello;
  if (!reader.more()) return hello;
  BigEndianReader extensions(reader.part(2));
  while (extensions.more()) {
    const std::size_t type = extensions.number(2);
    const std::string_view bytes = extensions.part(2);
    if (!extensions.good()) break;
    TRY(read_extension(type, bytes, hello));
  }
  if (!extensions.good() || !reader.good() || reader.more()) return bad_hello("lengths that do not add up");
  return hello;
}

}  // namespace

Result<std::optional<ClientHello>> read_client_hello(std::string_view bytes) {
  TRY_ASSIGN(const auto message, gather(bytes));
  if (!message) {
    if (bytes.size() > kLargestHello) return bad_hello("too large");
    return std::nullopt;
  }
  TRY_ASSIGN(auto hello, read_message(*message));
  return hello;
}

}  // namespace sbx::proxy
