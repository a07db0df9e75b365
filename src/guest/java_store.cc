// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/java_store.h"

#include <algorithm>
#include <optional>

#include "guest/sha1.h"

namespace sbx::guest {
namespace {

constexpr std::uint32_t kMagic = 0xfeedfeed;
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kCertificate = 2;
constexpr std::size_t kDigest = 20;
constexpr std::string_view kEntryName = "debian:proxy-ca.pem";
constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view kEnd = "-----END CERTIFICATE-----";

// Takes what is asked for off the front of the bytes; nothing, for good, once they are too few.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t number(std::size_t size) {
    std::uint32_t value = 0;
    for (const char c : take(size)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  std::string_view take(std::size_t size) {
    good_ = good_ && size <= bytes_.size();
    if (!good_) return {};
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string_view rest() const { return bytes_; }
  bool at_end() const { return good_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

void append_number(std::string& out, std::uint64_t value, int size) {
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

std::string digest_of(std::string_view content) {
  using namespace std::string_literals;
  return sha1("\0c\0h\0a\0n\0g\0e\0i\0t"s + "Mighty Aphrodite" + std::string(content));
}

struct Entries {
  std::uint32_t count = 0;
  std::string bytes;
};

// All of them but ours, if it is there. To the last byte, so that nothing is added to what only looks like a store.
Result<Entries> entries_of_others(std::string_view content) {
  const auto odd = fail(Code::kConflict, "it is not a store that we know (JKS, certificates only)");
  Reader reader(content);
  if (reader.number(4) != kMagic || reader.number(4) != kVersion) return odd;
  Entries others;
  for (std::uint32_t left = reader.number(4); left > 0; --left) {
    const std::string_view before = reader.rest();
    if (reader.number(4) != kCertificate) return odd;  // what is at an end has none, either
    const std::string_view name = reader.take(reader.number(2));
    reader.take(8);
    reader.take(reader.number(2));
    reader.take(reader.number(4));
    if (name == kEntryName) continue;
    ++others.count;
    others.bytes += before.substr(0, before.size() - reader.rest().size());
  }
  if (!reader.at_end()) return odd;
  return others;
}

int base64_value(char c) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t at = kDigits.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

std::optional<std::string> der_of(std::string_view pem) {
  const std::size_t begin = pem.find(kBegin);
  const std::size_t end = pem.find(kEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return std::nullopt;
  std::string der;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : pem.substr(begin + kBegin.size(), end - begin - kBegin.size())) {
    const int value = base64_value(c);
    if (value < 0) continue;  // a line's end, or the padding
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    der += static_cast<char>(bits >> have & 0xff);
  }
  return der;
}

std::string entry(std::string_view der, std::int64_t milliseconds) {
  constexpr std::string_view kType = "X.509";
  std::string out;
  append_number(out, kCertificate, 4);
  append_number(out, kEntryName.size(), 2);
  out += kEntryName;
  append_number(out, static_cast<std::uint64_t>(milliseconds), 8);
  append_number(out, kType.size(), 2);
  out += kType;
  append_number(out, der.size(), 4);
  out += der;
  return out;
}

}  // namespace

Result<std::string> with_authority(std::string_view store, std::string_view certificate, std::int64_t milliseconds) {
  const auto der = der_of(certificate);
  if (!der) return fail(Code::kInvalid, "the authority is no certificate (PEM)");
  const std::string_view content = store.substr(0, store.size() - std::min(store.size(), kDigest));
  TRY_ASSIGN(const Entries others, entries_of_others(content));
  if (digest_of(content) != store.substr(content.size()))
    return fail(Code::kConflict, "it has a password of its own, or is damaged");
  std::string out;
  append_number(out, kMagic, 4);
  append_number(out, kVersion, 4);
  append_number(out, others.count + 1, 4);
  out += others.bytes;
  out += entry(*der, milliseconds);
  return out + digest_of(out);
}

}  // namespace sbx::guest
