// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/trust/java_store.h"

#include <algorithm>
#include <optional>

#include "base/big_endian.h"
#include "guest/trust/sha1.h"

namespace sbx::guest {
namespace {

constexpr std::uint32_t kMagic = 0xfeedfeed;
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kCertificate = 2;
constexpr std::size_t kDigest = 20;
constexpr std::string_view kEntryName = "debian:proxy-ca.pem";
constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view kEnd = "-----END CERTIFICATE-----";

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
  BigEndianReader reader(content);
  if (reader.number(4) != kMagic || reader.number(4) != kVersion) return odd;
  Entries others;
  for (std::uint64_t left = reader.number(4); left > 0; --left) {
    const std::string_view before = reader.rest();
    if (reader.number(4) != kCertificate) return odd;  // what is at an end has none, either
    const std::string_view name = reader.part(2);
    reader.bytes(8);
    reader.part(2);
    reader.part(4);
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

std::string entry(std::string_view name, std::string_view der, std::int64_t milliseconds) {
  constexpr std::string_view kType = "X.509";
  std::string out;
  append_big_endian(out, kCertificate, 4);
  append_big_endian(out, name.size(), 2);
  out += name;
  append_big_endian(out, static_cast<std::uint64_t>(milliseconds), 8);
  append_big_endian(out, kType.size(), 2);
  out += kType;
  append_big_endian(out, der.size(), 4);
  out += der;
  return out;
}

std::string store_of(const Entries& entries) {
  std::string out;
  append_big_endian(out, kMagic, 4);
  append_big_endian(out, kVersion, 4);
  append_big_endian(out, entries.count, 4);
  out += entries.bytes;
  return out + digest_of(out);
}

}  // namespace

Result<std::string> with_authority(std::string_view store, std::string_view certificate, std::int64_t milliseconds) {
  const auto der = der_of(certificate);
  if (!der) return fail(Code::kInvalid, "the authority is no certificate (PEM)");
  const std::string_view content = store.substr(0, store.size() - std::min(store.size(), kDigest));
  TRY_ASSIGN(Entries entries, entries_of_others(content));
  if (digest_of(content) != store.substr(content.size()))
    return fail(Code::kConflict, "it has a password of its own, or is damaged");
  ++entries.count;
  entries.bytes += entry(kEntryName, *der, milliseconds);
  return store_of(entries);
}

std::string java_store_of(std::string_view bundle, std::int64_t milliseconds) {
  Entries entries;
  while (const auto der = der_of(bundle)) {
    ++entries.count;
    entries.bytes += entry("sandbox-" + std::to_string(entries.count), *der, milliseconds);
    bundle.remove_prefix(bundle.find(kEnd) + kEnd.size());
  }
  return store_of(entries);
}

}  // namespace sbx::guest
