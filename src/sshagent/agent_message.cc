// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/agent_message.h"

#include <algorithm>

#include "sshagent/ssh_strings.h"

namespace sbx::sshagent {
namespace {

constexpr std::uint8_t kFailure = 5;
constexpr std::uint8_t kSuccess = 6;
constexpr std::uint8_t kRequestIdentities = 11;
constexpr std::uint8_t kIdentitiesAnswer = 12;
constexpr std::uint8_t kSignRequest = 13;
constexpr std::uint8_t kSignResponse = 14;
constexpr std::uint8_t kExtension = 27;
constexpr std::string_view kSessionBind = "session-bind@openssh.com";

constexpr std::uint8_t kUserAuthRequest = 50;
constexpr std::string_view kService = "ssh-connection";
constexpr std::string_view kPublicKey = "publickey";
constexpr std::string_view kHostBound = "publickey-hostbound-v00@openssh.com";

constexpr std::uint32_t kRsaSha256 = 2;
constexpr std::uint32_t kRsaSha512 = 4;

constexpr std::size_t kLargestKey = 4u << 10;
constexpr std::size_t kLargestSignature = 8u << 10;
constexpr std::size_t kLongestName = 256;
constexpr std::size_t kMostKeys = 64;
constexpr std::size_t kMostKeyBytes = 32u << 10;

bool is_plain(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName &&
         std::ranges::all_of(text, [](unsigned char c) { return c > 0x20 && c < 0x7f; });
}

// Hashes of SHA-1 to SHA-512.
bool is_session(std::string_view session) { return session.size() >= 20 && session.size() <= 64; }

bool is_key(std::string_view key) { return !key.empty() && key.size() <= kLargestKey; }

bool is_login(const Login& login) {
  return is_session(login.session) && is_plain(login.user) && is_plain(login.algorithm) &&
         login.host_key.size() <= kLargestKey;
}

// SECURITY: nothing else is signed. What git signs (SSHSIG), a certificate or a challenge of another protocol has
// another form: RFC 4252's begins with a hash's length, and then says what it is.
std::optional<Login> parse_login(std::string_view data, std::string_view key) {
  SshReader from(data);
  Login login;
  login.session = from.text();
  const bool is_request = from.byte() == kUserAuthRequest;
  login.user = from.text();
  const bool is_connection = from.text() == kService;
  const std::string_view method = from.text();
  const bool is_signed = from.byte() == 1;
  login.algorithm = from.text();
  const bool is_same_key = from.text() == key;
  if (method == kHostBound) login.host_key = from.text();
  if (method == kHostBound ? login.host_key.empty() : method != kPublicKey) return std::nullopt;
  if (!from.whole() || !is_request || !is_connection || !is_signed || !is_same_key) return std::nullopt;
  return is_login(login) ? std::optional(std::move(login)) : std::nullopt;
}

std::string bytes_of(const Login& login, std::string_view key) {
  SshWriter into;
  into.text(login.session);
  into.byte(kUserAuthRequest);
  into.text(login.user);
  into.text(kService);
  into.text(login.host_key.empty() ? kPublicKey : kHostBound);
  into.byte(1);
  into.text(login.algorithm);
  into.text(key);
  if (!login.host_key.empty()) into.text(login.host_key);
  return into.take();
}

std::optional<AgentRequest> parse_bind(SshReader from) {
  const bool is_bind = from.text() == kSessionBind;
  BindSession bind;
  bind.proof.host_key = from.text();
  bind.session = from.text();
  bind.proof.signature = from.text();
  bind.forwarding = from.byte() != 0;
  if (!is_bind || !from.whole() || !is_key(bind.proof.host_key) || !is_session(bind.session)) return std::nullopt;
  return bind;
}

}  // namespace

bool is_well_formed(const Sign& sign) {
  return is_key(sign.key) && is_login(sign.login) &&
         (sign.flags == 0 || sign.flags == kRsaSha256 || sign.flags == kRsaSha512);
}

std::optional<AgentRequest> parse_request(std::string_view message) {
  if (message.size() > kLargestRequest) return std::nullopt;
  SshReader from(message);
  const std::uint8_t kind = from.byte();
  if (kind == kRequestIdentities && from.whole()) return ListKeys{};
  if (kind == kExtension) return parse_bind(from);
  if (kind != kSignRequest) return std::nullopt;
  Sign sign;
  sign.key = from.text();
  auto login = parse_login(from.text(), sign.key);
  sign.flags = from.number();
  if (!from.whole() || !login) return std::nullopt;
  sign.login = std::move(*login);
  return is_well_formed(sign) ? std::optional<AgentRequest>(std::move(sign)) : std::nullopt;
}

std::string encode(const ListKeys&) { return std::string(1, static_cast<char>(kRequestIdentities)); }

std::string encode(const Sign& sign) {
  SshWriter into;
  into.byte(kSignRequest);
  into.text(sign.key);
  into.text(bytes_of(sign.login, sign.key));
  into.number(sign.flags);
  return into.take();
}

std::optional<std::vector<std::string>> parse_keys(std::string_view message) {
  SshReader from(message);
  if (from.byte() != kIdentitiesAnswer) return std::nullopt;
  std::vector<std::string> keys;
  std::size_t bytes = 0;
  for (std::uint32_t left = from.number(); left > 0 && from.good(); --left) {
    const std::string_view key = from.text();
    (void)from.text();  // the comment
    if (!is_key(key) || keys.size() >= kMostKeys || bytes + key.size() > kMostKeyBytes) continue;
    bytes += key.size();
    keys.emplace_back(key);
  }
  return from.whole() ? std::optional(std::move(keys)) : std::nullopt;
}

std::optional<std::string> parse_signature(std::string_view message) {
  SshReader from(message);
  const bool is_response = from.byte() == kSignResponse;
  const std::string_view signature = from.text();
  if (!is_response || !from.whole() || signature.empty() || signature.size() > kLargestSignature) return std::nullopt;
  return std::string(signature);
}

std::string encode_keys(const std::vector<std::string>& keys) {
  SshWriter into;
  into.byte(kIdentitiesAnswer);
  into.number(static_cast<std::uint32_t>(keys.size()));
  for (const std::string& key : keys) {
    into.text(key);
    into.text("on the host");
  }
  return into.take();
}

std::string encode_signature(std::string_view signature) {
  SshWriter into;
  into.byte(kSignResponse);
  into.text(signature);
  return into.take();
}

std::string encode_success() { return std::string(1, static_cast<char>(kSuccess)); }
std::string encode_failure() { return std::string(1, static_cast<char>(kFailure)); }

}  // namespace sbx::sshagent
