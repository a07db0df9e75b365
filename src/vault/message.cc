// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/message.h"

#include "base/packing.h"

namespace sbx::vault {
namespace {

// Above those of the gate's messages, of which some are said on the same line.
enum class Kind : std::uint8_t { kNewVault = 128, kLoad, kLoaded, kHeld, kBindingsPart };

Packer begin(Kind kind) {
  Packer packer;
  packer.number(kind);
  return packer;
}

bool begins(Unpacker& from, Kind kind) { return from.number<std::uint8_t>() == static_cast<std::uint8_t>(kind); }

Failure nonsense() { return fail(Code::kInvalid, "a packet of the vault makes no sense"); }

bool is(std::string_view packet, Kind kind) {
  Unpacker from(packet);
  return begins(from, kind);
}

Result<Held> decode_held(std::string_view packet) {
  Unpacker from(packet.substr(1));
  const Held held{from.number<std::uint64_t>()};
  if (!from.whole()) return nonsense();
  return held;
}

Result<BindingsPart> decode_part(std::string_view packet) {
  Unpacker from(packet.substr(1));
  const auto number = from.number<std::uint64_t>();
  const bool last = from.boolean();
  BindingsPart part{number, last, std::string(from.rest())};
  if (!from.whole()) return nonsense();
  return part;
}

}  // namespace

std::string encode(const NewVault&) { return begin(Kind::kNewVault).take(); }

std::string encode(const Load& load) {
  Packer packer = begin(Kind::kLoad);
  packer.number(load.number);
  return packer.take();
}

std::string encode(const Loaded& loaded) {
  Packer packer = begin(Kind::kLoaded);
  packer.number(loaded.number);
  packer.text(loaded.error);
  return packer.take();
}

std::string encode(const Held& held) {
  Packer packer = begin(Kind::kHeld);
  packer.number(held.number);
  return packer.take();
}

std::string encode(const BindingsPart& part) {
  Packer packer = begin(Kind::kBindingsPart);
  packer.number(part.number);
  packer.number(static_cast<std::uint8_t>(part.last));
  packer.rest(part.text);
  return packer.take();
}

bool is_new_vault(std::string_view packet) { return packet == encode(NewVault{}); }

Result<Load> decode_load(std::string_view packet) {
  Unpacker from(packet);
  if (!begins(from, Kind::kLoad)) return nonsense();
  const Load load{from.number<std::uint64_t>()};
  if (!from.whole()) return nonsense();
  return load;
}

Result<Loaded> decode_loaded(std::string_view packet) {
  Unpacker from(packet);
  if (!begins(from, Kind::kLoaded)) return nonsense();
  const auto number = from.number<std::uint64_t>();
  Loaded loaded{number, from.text()};
  if (!from.whole()) return nonsense();
  return loaded;
}

Result<FromShim> decode_from_shim(std::string_view packet) {
  if (is(packet, Kind::kHeld)) return decode_held(packet);
  TRY_ASSIGN(auto message, gate::decode_from_shim(packet));
  if (auto* dial = std::get_if<gate::Dial>(&message)) return std::move(*dial);
  if (auto* cancel = std::get_if<gate::Cancel>(&message)) return *cancel;
  return nonsense();
}

Result<ToShimMessage> decode_from_vault(std::string_view packet) {
  if (is(packet, Kind::kBindingsPart)) return decode_part(packet);
  TRY_ASSIGN(auto message, gate::decode_from_gate(packet));
  if (auto* dialed = std::get_if<gate::Dialed>(&message)) return std::move(*dialed);
  return nonsense();
}

}  // namespace sbx::vault
