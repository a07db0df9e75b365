// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/record.h"

#include <cstring>

#include "base/packing.h"

namespace sbx::netlog {

Path path_from(std::int64_t number) {
  for (const auto& choice : choices(Path{}))
    if (static_cast<std::int64_t>(choice.value) == number) return choice.value;
  return Path::kForward;
}

std::string pack(const Record& record) {
  Packer body;
  body.number(record.id);
  body.number(record.time_us);
  body.text(record.host);
  body.number(record.port);
  body.number(record.path);
  body.number(static_cast<std::uint8_t>(record.allowed));
  body.text(record.method);
  body.text(record.url_path);
  body.text(record.rule);
  body.text(record.reason);
  body.number(record.status);
  body.number(record.sent);
  body.number(record.received);
  body.number(record.duration_us);
  const std::string bytes = body.take();
  Packer packed;
  packed.number(static_cast<std::uint32_t>(bytes.size()));
  packed.rest(bytes);
  return packed.take();
}

Result<Record> unpack(std::string_view& bytes) {
  std::uint32_t size = 0;
  if (bytes.size() < sizeof size) return fail(Code::kInvalid, "network record: it is not complete");
  std::memcpy(&size, bytes.data(), sizeof size);
  if (bytes.size() - sizeof size < size) return fail(Code::kInvalid, "network record: it is not complete");
  Unpacker body(bytes.substr(sizeof size, size));
  Record record;
  record.id = body.number<std::int64_t>();
  record.time_us = body.number<std::int64_t>();
  record.host = body.text();
  record.port = body.number<std::uint16_t>();
  record.path = body.one_of(Path::kTransparentBypass);
  record.allowed = body.boolean();
  record.method = body.text();
  record.url_path = body.text();
  record.rule = body.text();
  record.reason = body.text();
  record.status = body.number<std::uint32_t>();
  record.sent = body.number<std::uint64_t>();
  record.received = body.number<std::uint64_t>();
  record.duration_us = body.number<std::int64_t>();
  if (!body.whole()) return fail(Code::kInvalid, "network record: it makes no sense");
  bytes.remove_prefix(sizeof size + size);
  return record;
}

}  // namespace sbx::netlog
