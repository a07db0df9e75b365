// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/handshake.h"

#include <gtest/gtest.h>

#include "sshagent/ssh_strings.h"

namespace sbx::sshagent {
namespace {

// As RFC 4253 has it before there are keys.
std::string ssh_packet(std::string_view payload) {
  const std::uint8_t padding = 4;
  SshWriter into;
  into.number(static_cast<std::uint32_t>(payload.size() + padding + 1));
  into.byte(padding);
  return into.take() + std::string(payload) + std::string(padding, 'p');
}

std::string key_reply(std::uint8_t kind, const std::vector<std::string>& parts) {
  SshWriter into;
  into.byte(kind);
  for (const std::string& part : parts) into.text(part);
  return ssh_packet(into.take());
}

const std::string kBegin = "SSH-2.0-test\r\n" + ssh_packet("\x14 what it can");
const std::string kNewKeysPacket = ssh_packet("\x15");
const HostProof kShown{"host key", "signature"};

std::optional<HostProof> proof_of(std::string_view bytes) {
  ServerHandshake handshake;
  handshake.add(bytes);
  return handshake.proof();
}

TEST(ServerHandshake, HasTheProofInEachKindOfExchange) {
  EXPECT_EQ(proof_of(kBegin + key_reply(31, {"host key", "half", "signature"})), kShown);
  EXPECT_EQ(proof_of(kBegin + key_reply(31, {"prime", "generator"}) + key_reply(33, {"host key", "half", "signature"})),
            kShown);
  EXPECT_EQ(proof_of("Welcome.\nMind the gap.\r\n" + kBegin + key_reply(31, {"host key", "half", "signature"})),
            kShown);
}

TEST(ServerHandshake, DoesNotMindHowItComes) {
  ServerHandshake handshake;
  for (const char c : kBegin + key_reply(31, {"host key", "half", "signature"}) + kNewKeysPacket) {
    EXPECT_FALSE(handshake.is_over());
    handshake.add(std::string(1, c));
  }
  EXPECT_TRUE(handshake.is_over());
  EXPECT_EQ(handshake.proof(), kShown);
}

TEST(ServerHandshake, WhatComesAfterIsNotLookedAt) {
  const std::string later = key_reply(31, {"another", "half", "signature"});
  EXPECT_EQ(proof_of(kBegin + kNewKeysPacket + later), std::nullopt) << "encrypted, it may be what a client likes";
  EXPECT_EQ(proof_of(kBegin + key_reply(31, {"host key", "half", "signature"}) + later), kShown) << "the first counts";
}

TEST(ServerHandshake, WhatIsNoneHasNoProof) {
  EXPECT_EQ(proof_of(key_reply(31, {"host key", "half", "signature"})), std::nullopt) << "without a version";
  EXPECT_EQ(proof_of("HTTP/1.1 200 OK\r\n" + key_reply(31, {"host key", "half", "signature"})), std::nullopt);
  EXPECT_EQ(proof_of(kBegin + key_reply(31, {"host key", "half", "signature", "more"})), std::nullopt);
  EXPECT_EQ(proof_of(kBegin + key_reply(31, {"", "half", "signature"})), std::nullopt);
  EXPECT_EQ(proof_of(kBegin + key_reply(30, {"host key", "half", "signature"})), std::nullopt);
}

TEST(ServerHandshake, IsBounded) {
  for (const std::string& bytes : {std::string(10'000, 'x'), kBegin + "\xff\xff\xff\xff", kBegin + std::string(4, '\0'),
                                   kBegin + std::string("\0\0\0\x02\xff\x1f", 6)}) {
    ServerHandshake handshake;
    handshake.add(bytes);
    EXPECT_TRUE(handshake.is_over());
  }
  ServerHandshake talkative;
  for (int i = 0; i < 20'000 && !talkative.is_over(); ++i) talkative.add("a line\n");
  EXPECT_TRUE(talkative.is_over());
}

}  // namespace
}  // namespace sbx::sshagent
