// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// A ClientHello out of its parts, right or wrong: hello(server_name(name("good.test")) + protocols("\2h2")).
namespace sbx::testing::tls {

inline std::string number(std::size_t value, int bytes) {
  std::string out;
  while (bytes-- > 0) out += static_cast<char>(value >> (8 * bytes) & 0xff);
  return out;
}
inline std::string part(const std::string& bytes, int size) { return number(bytes.size(), size) + bytes; }
inline std::string extension(std::size_t type, const std::string& bytes) { return number(type, 2) + part(bytes, 2); }
inline std::string name(const std::string& host) { return '\0' + part(host, 2); }
inline std::string server_name(const std::string& names) { return extension(0, part(names, 2)); }
inline std::string protocols(const std::string& list) { return extension(16, part(list, 2)); }
inline std::string record(const std::string& bytes) { return "\x16\x03\x01" + part(bytes, 2); }
inline std::string message(const std::string& extensions) {
  const std::string body =
      "\x03\x03" + std::string(32, 'r') + part("", 1) + part("\x13\x01", 2) + part(std::string(1, '\0'), 1);
  return '\1' + part(body + part(extensions, 2), 3);
}
inline std::string hello(const std::string& extensions) { return record(message(extensions)); }

inline std::string in_records(const std::string& bytes, std::size_t size) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += size) out += record(bytes.substr(at, size));
  return out;
}

}  // namespace sbx::testing::tls
