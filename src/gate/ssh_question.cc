// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/ssh_question.h"

#include <algorithm>

#include "base/packing.h"

namespace sbx::gate {
namespace {

constexpr std::size_t kMostSshHosts = 64;

Failure no_ssh_sense() { return fail(Code::kInvalid, "a packet between signer and gate makes no sense"); }

}  // namespace

std::string encode(const SshQuestion& question) {
  Packer into;
  into.number(question.number);
  return into.take();
}

Result<SshQuestion> decode_ssh_question(std::string_view packet) {
  Unpacker from(packet);
  const SshQuestion question{from.number<std::uint64_t>()};
  if (!from.whole()) return no_ssh_sense();
  return question;
}

std::string encode(const SshAnswer& answer) {
  Packer into;
  into.number(answer.number);
  const std::size_t count = std::min(answer.hosts.size(), kMostSshHosts);
  into.number(static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i) into.text(answer.hosts[i]);
  return into.take();
}

Result<SshAnswer> decode_ssh_answer(std::string_view packet) {
  Unpacker from(packet);
  SshAnswer answer{from.number<std::uint64_t>(), {}};
  const auto count = from.number<std::uint32_t>();
  if (count > kMostSshHosts) return no_ssh_sense();
  for (std::uint32_t i = 0; i < count; ++i) answer.hosts.push_back(from.text());
  if (!from.whole()) return no_ssh_sense();
  return answer;
}

}  // namespace sbx::gate
