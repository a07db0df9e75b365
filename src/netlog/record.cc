// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/record.h"

#include <array>
#include <cstring>

namespace sbx::netlog {
namespace {

constexpr std::array<std::string_view, 4> kPaths = {"forward", "forward-bypass", "transparent", "transparent-bypass"};
constexpr std::size_t kLongestText = 4096;

template <class Number>
void put(std::string& out, Number value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);  // between two processes of one machine
}

void put_text(std::string& out, std::string_view text) {
  text = text.substr(0, kLongestText);
  put(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

// Takes values off the front; once something is missing it stays bad and gives zeros.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  Number number() {
    Number value{};
    const std::string_view bytes = take(sizeof value);
    if (good_) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint32_t>();
    return size > kLongestText ? (good_ = false, std::string()) : std::string(take(size));
  }
  bool whole() const { return good_ && rest_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) good_ = false;
    if (!good_) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

std::string_view to_string(Path path) { return kPaths.at(static_cast<std::size_t>(path)); }

std::string pack(const Record& record) {
  std::string body;
  put(body, record.id);
  put(body, record.time_us);
  put_text(body, record.host);
  put(body, record.port);
  put(body, static_cast<std::uint8_t>(record.path));
  put(body, static_cast<std::uint8_t>(record.allowed));
  put_text(body, record.method);
  put_text(body, record.url_path);
  put_text(body, record.rule);
  put_text(body, record.reason);
  put(body, record.status);
  put(body, record.sent);
  put(body, record.received);
  put(body, record.duration_us);
  std::string packed;
  put(packed, static_cast<std::uint32_t>(body.size()));
  return packed + body;
}

Result<Record> unpack(std::string_view& bytes) {
  std::uint32_t size = 0;
  if (bytes.size() < sizeof size) return fail(Code::kInvalid, "network record: it is not complete");
  std::memcpy(&size, bytes.data(), sizeof size);
  if (bytes.size() - sizeof size < size) return fail(Code::kInvalid, "network record: it is not complete");
  Taker taker(bytes.substr(sizeof size, size));
  Record record;
  record.id = taker.number<std::int64_t>();
  record.time_us = taker.number<std::int64_t>();
  record.host = taker.text();
  record.port = taker.number<std::uint16_t>();
  const auto path = taker.number<std::uint8_t>();
  record.allowed = taker.number<std::uint8_t>() != 0;
  record.method = taker.text();
  record.url_path = taker.text();
  record.rule = taker.text();
  record.reason = taker.text();
  record.status = taker.number<std::uint32_t>();
  record.sent = taker.number<std::uint64_t>();
  record.received = taker.number<std::uint64_t>();
  record.duration_us = taker.number<std::int64_t>();
  if (!taker.whole() || path >= kPaths.size()) return fail(Code::kInvalid, "network record: it makes no sense");
  record.path = static_cast<Path>(path);
  bytes.remove_prefix(sizeof size + size);
  return record;
}

}  // namespace sbx::netlog
