// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "blobs/message.h"

#include "base/packing.h"

namespace sbx::blobs {
namespace {

Failure senseless() { return fail(Code::kInvalid, "a packet between shim and cache of blobs makes no sense"); }

}  // namespace

std::string encode(const Ask& ask) {
  Packer into;
  into.number(ask.ticket);
  into.text(ask.blob.origin);
  into.text(ask.blob.digest);
  return into.take();
}

Result<Ask> decode_ask(std::string_view packet) {
  Unpacker from(packet);
  Ask ask{from.number<Ticket>(), {}};
  ask.blob.origin = from.text();
  ask.blob.digest = from.text();
  if (!from.whole() || !is_well_formed(ask.blob)) return senseless();
  return ask;
}

std::string encode(const Answer& answer) {
  Packer into;
  into.number(answer.ticket);
  into.number(static_cast<std::uint8_t>(answer.size ? 1 : 0));
  into.number(answer.size.value_or(0));
  return into.take();
}

Result<Answer> decode_answer(std::string_view packet) {
  Unpacker from(packet);
  Answer answer{from.number<Ticket>(), std::nullopt};
  const bool found = from.boolean();
  const auto size = from.number<std::uint64_t>();
  if (!from.whole()) return senseless();
  if (found) answer.size = size;
  return answer;
}

std::string size_prefix(std::uint64_t size) {
  Packer into;
  into.number(size);
  return into.take();
}

std::uint64_t size_in(std::string_view prefix) { return Unpacker(prefix).number<std::uint64_t>(); }

}  // namespace sbx::blobs
