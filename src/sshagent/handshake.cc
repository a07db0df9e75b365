// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/handshake.h"

#include <algorithm>

#include "sshagent/ssh_strings.h"

namespace sbx::sshagent {
namespace {

constexpr std::size_t kMostSeen = 128u << 10;
constexpr std::size_t kLongestLine = 8u << 10;
constexpr std::size_t kLargestPacket = 64u << 10;
constexpr std::size_t kPacketLengthSize = 4;

constexpr std::uint8_t kNewKeys = 21;
constexpr std::uint8_t kKeyReply = 31;       // of Diffie-Hellman, in each of its kinds
constexpr std::uint8_t kGroupKeyReply = 33;  // where the server chooses the group

std::optional<HostProof> proof_in(std::string_view payload) {
  SshReader from(payload);
  const std::uint8_t kind = from.byte();
  if (kind != kKeyReply && kind != kGroupKeyReply) return std::nullopt;
  HostProof proof;
  proof.host_key = from.text();
  (void)from.text();  // its half of the exchange
  proof.signature = from.text();
  if (!from.whole() || proof.host_key.empty() || proof.signature.empty()) return std::nullopt;
  return proof;
}

}  // namespace

void ServerHandshake::add(std::string_view bytes) {
  if (over_) return;
  bytes = bytes.substr(0, kMostSeen - seen_);
  seen_ += bytes.size();
  bytes_ += bytes;
  while (!over_ && (in_packets_ ? take_packet() : take_line())) {
  }
  if (seen_ == kMostSeen) end();
}

// A server may say something before its version.
bool ServerHandshake::take_line() {
  const auto end_of_line = bytes_.find('\n');
  if (std::min(end_of_line, bytes_.size()) > kLongestLine) end();
  if (over_ || end_of_line == std::string::npos) return false;
  in_packets_ = bytes_.starts_with("SSH-");
  bytes_.erase(0, end_of_line + 1);
  return true;
}

bool ServerHandshake::take_packet() {
  if (bytes_.size() < kPacketLengthSize) return false;
  const std::size_t size = SshReader(bytes_).number();
  if (size < 2 || size > kLargestPacket) {
    end();
    return false;
  }
  if (bytes_.size() < kPacketLengthSize + size) return false;
  const auto padding = static_cast<unsigned char>(bytes_[kPacketLengthSize]);
  const std::string payload =
      padding + 1u < size ? bytes_.substr(kPacketLengthSize + 1, size - padding - 1) : std::string();
  bytes_.erase(0, kPacketLengthSize + size);
  if (!proof_) proof_ = proof_in(payload);
  if (payload.empty() || static_cast<unsigned char>(payload[0]) == kNewKeys) end();
  return true;
}

void ServerHandshake::end() {
  over_ = true;
  bytes_ = {};
}

}  // namespace sbx::sshagent
