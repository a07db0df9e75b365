// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/message.h"

#include "base/packing.h"

namespace sbx::gate {
namespace {

enum class Kind : std::uint8_t {
  kDial,
  kCancel,
  kRecords,
  kEnforced,
  kReady,
  kGaveUp,
  kDialed,
  kPolicyPart,
  kAccepted,
  kFlush,
  kFlushed,
  kLost,
};
constexpr Kind kLast = Kind::kLost;

enum class Outcome : std::uint8_t { kReached, kRefused, kFailed };  // of a dial

Packer begin(Kind kind) {
  Packer packer;
  packer.number(kind);
  return packer;
}

Failure nonsense() { return fail(Code::kInvalid, "a packet between shim and gate makes no sense"); }

// Whether nothing is missing and nothing is left; then the value.
template <class Message>
auto whole(const Unpacker& from, Message message) -> Result<Message> {
  if (!from.whole()) return nonsense();
  return message;
}

Result<Dial> decode_dial(Unpacker& from) {
  const auto ticket = from.number<Ticket>();
  const auto port = from.number<std::uint16_t>();
  const auto path = from.one_of(policy::Path::kTransparent);
  auto host = policy::Host::parse(from.text());
  if (!from.whole() || !host || port == 0) return nonsense();
  return Dial{ticket, {std::move(*host), port, path}};
}

Result<Records> decode_records(Unpacker& from) {
  Records records;
  std::string_view bytes = from.rest();
  while (!bytes.empty()) {
    TRY_ASSIGN(auto record, netlog::unpack(bytes));
    records.records.push_back(std::move(record));
  }
  return records;
}

Result<Lost> decode_lost(Unpacker& from) {
  netlog::Losses losses;
  losses.count = from.number<std::int64_t>();
  losses.first_us = from.number<std::int64_t>();
  losses.last_us = from.number<std::int64_t>();
  if (losses.count < 0) return nonsense();
  return whole(from, Lost{losses});
}

void put(Packer& into, const policy::Verdict& verdict) {
  into.number(verdict.decision);
  into.number(verdict.reason);
  into.text(verdict.rule);
  into.text(verdict.detail);
  into.number(static_cast<std::uint8_t>(verdict.named));
  into.number(verdict.passes);
}

policy::Verdict take_verdict(Unpacker& from) {
  policy::Verdict verdict;
  verdict.decision = from.one_of(policy::Decision::kInspect);
  verdict.reason = from.one_of(policy::Reason::kMalformed);
  verdict.rule = from.text();
  verdict.detail = from.text();
  verdict.named = from.boolean();
  verdict.passes = from.one_of(policy::Passes::kRaw);
  return verdict;
}

void put(Packer& into, const Reached& reached) {
  into.number(Outcome::kReached);
  put(into, reached.verdict);
  into.text(reached.address.text());
}
void put(Packer& into, const Refused& refused) {
  into.number(Outcome::kRefused);
  put(into, refused.verdict);
}
void put(Packer& into, const Failed& failed) {
  into.number(Outcome::kFailed);
  into.text(failed.why);
}

Result<Dialed> decode_dialed(Unpacker& from) {
  const auto ticket = from.number<Ticket>();
  const auto outcome = from.one_of(Outcome::kFailed);
  if (outcome == Outcome::kFailed) return whole(from, Dialed{ticket, Failed{from.text()}});
  policy::Verdict verdict = take_verdict(from);
  if (verdict.allowed() != (outcome == Outcome::kReached)) return nonsense();
  if (outcome == Outcome::kRefused) return whole(from, Dialed{ticket, Refused{std::move(verdict)}});
  const auto address = policy::Address::parse(from.text());
  if (!address) return nonsense();
  return whole(from, Dialed{ticket, Reached{std::move(verdict), *address}});
}

Result<PolicyPart> decode_policy_part(Unpacker& from) {
  const auto number = from.number<std::uint64_t>();
  const bool last = from.boolean();
  return whole(from, PolicyPart{number, last, std::string(from.rest())});
}

Result<GaveUp> decode_gave_up(Unpacker& from) {
  const auto code = from_word<Code>(from.text()).value_or(Code::kInternal);
  std::string what = from.text();
  std::string hint = from.text();
  return whole(from, GaveUp{Error(code, std::move(what), std::move(hint))});
}

}  // namespace

std::string encode(const Dial& dial) {
  Packer packer = begin(Kind::kDial);
  packer.number(dial.ticket);
  packer.number(dial.target.port);
  packer.number(dial.target.path);
  packer.text(dial.target.host.text());
  return packer.take();
}

std::string encode(const Cancel& cancel) {
  Packer packer = begin(Kind::kCancel);
  packer.number(cancel.ticket);
  return packer.take();
}

std::string encode_records(std::string_view packed) {
  Packer packer = begin(Kind::kRecords);
  packer.rest(packed);
  return packer.take();
}

std::string encode(const Lost& lost) {
  Packer packer = begin(Kind::kLost);
  packer.number(lost.losses.count);
  packer.number(lost.losses.first_us);
  packer.number(lost.losses.last_us);
  return packer.take();
}

std::string encode(const Enforced& enforced) {
  Packer packer = begin(Kind::kEnforced);
  packer.number(enforced.policy);
  return packer.take();
}

std::string encode(const Flushed& flushed) {
  Packer packer = begin(Kind::kFlushed);
  packer.number(flushed.flush);
  return packer.take();
}

std::string encode(const Ready&) { return begin(Kind::kReady).take(); }

std::string encode(const GaveUp& gave_up) {
  Packer packer = begin(Kind::kGaveUp);
  packer.text(word_of(gave_up.why.code()));
  packer.text(gave_up.why.what());
  packer.text(gave_up.why.hint());
  return packer.take();
}

std::string encode(const Dialed& dialed) {
  Packer packer = begin(Kind::kDialed);
  packer.number(dialed.ticket);
  std::visit([&packer](const auto& outcome) { put(packer, outcome); }, dialed.outcome);
  return packer.take();
}

std::string encode(const PolicyPart& part) {
  Packer packer = begin(Kind::kPolicyPart);
  packer.number(part.policy);
  packer.number(static_cast<std::uint8_t>(part.last));
  packer.rest(part.text);
  return packer.take();
}

std::string encode(const Accepted& accepted) {
  Packer packer = begin(Kind::kAccepted);
  packer.number(accepted.port);
  return packer.take();
}

std::string encode(const Flush& flush) {
  Packer packer = begin(Kind::kFlush);
  packer.number(flush.flush);
  return packer.take();
}

Result<FromShim> decode_from_shim(std::string_view packet) {
  Unpacker from(packet);
  switch (from.one_of(kLast)) {
    case Kind::kDial:
      return decode_dial(from);
    case Kind::kCancel:
      return whole(from, Cancel{from.number<Ticket>()});
    case Kind::kRecords:
      return decode_records(from);
    case Kind::kLost:
      return decode_lost(from);
    case Kind::kEnforced:
      return whole(from, Enforced{from.number<std::uint64_t>()});
    case Kind::kFlushed:
      return whole(from, Flushed{from.number<std::uint64_t>()});
    default:
      return nonsense();
  }
}

Result<FromGate> decode_from_gate(std::string_view packet) {
  Unpacker from(packet);
  switch (from.one_of(kLast)) {
    case Kind::kReady:
      return whole(from, Ready{});
    case Kind::kGaveUp:
      return decode_gave_up(from);
    case Kind::kDialed:
      return decode_dialed(from);
    case Kind::kPolicyPart:
      return decode_policy_part(from);
    case Kind::kAccepted:
      return whole(from, Accepted{from.number<std::uint16_t>()});
    case Kind::kFlush:
      return whole(from, Flush{from.number<std::uint64_t>()});
    default:
      return nonsense();
  }
}

}  // namespace sbx::gate
