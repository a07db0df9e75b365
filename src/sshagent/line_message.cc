// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/line_message.h"

#include "base/packing.h"

namespace sbx::sshagent {
namespace {

enum class Asked : std::uint8_t { kList, kSign };
enum class Outcome : std::uint8_t { kRefused, kKeys, kSignature };

constexpr std::uint32_t kMostListed = 64;

Failure senseless() { return fail(Code::kInvalid, "a packet between shim and signer makes no sense"); }

constexpr std::size_t kLongestHost = 512;

bool is_well_formed(const SignAt& asked) {
  return sshagent::is_well_formed(asked.sign) && !asked.host.empty() && asked.host.size() <= kLongestHost &&
         asked.host_key.size() <= kLargestRequest;
}

SignAt take_sign(Unpacker& from) {
  SignAt asked;
  Sign& sign = asked.sign;
  sign.key = from.bytes();
  sign.flags = from.number<std::uint32_t>();
  sign.login.session = from.bytes();
  sign.login.user = from.bytes();
  sign.login.algorithm = from.bytes();
  sign.login.host_key = from.bytes();
  asked.host = from.bytes();
  asked.host_key = from.bytes();
  return asked;
}

void put(Packer& into, const SignAt& asked) {
  const Sign& sign = asked.sign;
  into.bytes(sign.key);
  into.number(sign.flags);
  into.bytes(sign.login.session);
  into.bytes(sign.login.user);
  into.bytes(sign.login.algorithm);
  into.bytes(sign.login.host_key);
  into.bytes(asked.host);
  into.bytes(asked.host_key);
}

Keys take_keys(Unpacker& from) {
  Keys keys;
  for (auto left = from.number<std::uint32_t>(); left > 0 && left <= kMostListed && from.good(); --left)
    keys.keys.emplace_back(from.bytes());
  return keys;
}

}  // namespace

std::string encode(const Ask& ask) {
  Packer into;
  into.number(ask.ticket);
  const auto* sign = std::get_if<SignAt>(&ask.request);
  into.number(sign != nullptr ? Asked::kSign : Asked::kList);
  if (sign != nullptr) put(into, *sign);
  return into.take();
}

Result<Ask> decode_ask(std::string_view packet) {
  Unpacker from(packet);
  Ask ask{from.number<Ticket>(), ListKeys{}};
  if (from.one_of(Asked::kSign) == Asked::kSign) {
    SignAt asked = take_sign(from);
    if (!is_well_formed(asked)) return senseless();
    ask.request = std::move(asked);
  }
  if (!from.whole()) return senseless();
  return ask;
}

std::string encode(const Answer& answer) {
  Packer into;
  into.number(answer.ticket);
  into.number(static_cast<Outcome>(answer.outcome.index()));
  if (const auto* keys = std::get_if<Keys>(&answer.outcome)) {
    into.number(static_cast<std::uint32_t>(keys->keys.size()));
    for (const std::string& key : keys->keys) into.bytes(key);
  }
  if (const auto* signature = std::get_if<Signature>(&answer.outcome)) into.bytes(signature->signature);
  return into.take();
}

Result<Answer> decode_answer(std::string_view packet) {
  Unpacker from(packet);
  Answer answer{from.number<Ticket>(), Refused{}};
  const auto outcome = from.one_of(Outcome::kSignature);
  if (outcome == Outcome::kKeys) answer.outcome = take_keys(from);
  if (outcome == Outcome::kSignature) answer.outcome = Signature{std::string(from.bytes())};
  if (!from.whole()) return senseless();
  return answer;
}

}  // namespace sbx::sshagent
