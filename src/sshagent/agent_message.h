// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sshagent/handshake.h"

// The protocol of SSH agents (draft-miller-ssh-agent), as much of it as is let through: to list keys, to say which
// server a client is connected to, and to sign what it signs to log in there. Messages are without the four bytes of
// their length. Pure; the parsers are for bytes of strangers.
namespace sbx::sshagent {

inline constexpr std::size_t kLargestRequest = 16u << 10;  // the longest that makes sense is some 5 KiB
inline constexpr std::size_t kLargestAnswer = 48u << 10;

// What a client signs to log in by public key (RFC 4252, section 7), in its two forms. The key is that of the request.
struct Login {
  std::string session;    // the identifier of the connection, a hash
  std::string user;       // at the server
  std::string algorithm;  // of the signature
  std::string host_key;   // the server's, in the form of OpenSSH that binds the signature to it; else empty

  bool operator==(const Login&) const = default;
};

struct ListKeys {
  bool operator==(const ListKeys&) const = default;
};
struct Sign {
  std::string key;  // the public one, that is to sign
  std::uint32_t flags = 0;
  Login login;

  bool operator==(const Sign&) const = default;
};

// OpenSSH's session-bind: the client is connected to the server with this key, which has signed the session's
// identifier.
struct BindSession {
  HostProof proof;
  std::string session;
  bool forwarding = false;  // what comes next is from that server, and not from the client

  bool operator==(const BindSession&) const = default;
};

using AgentRequest = std::variant<ListKeys, Sign, BindSession>;

// Nothing: it is any other message, malformed, or would have something else signed than a login.
std::optional<AgentRequest> parse_request(std::string_view message);
// Whether these are what parse_request() would make of some message.
bool is_well_formed(const Sign& sign);
std::string encode(const ListKeys& list);
std::string encode(const Sign& sign);  // the bytes to sign are made anew from the login

// The public keys in the answer of an agent: 64 at most, and 32 KiB; more are left out.
// Nothing: it is no such answer.
std::optional<std::vector<std::string>> parse_keys(std::string_view message);
std::optional<std::string> parse_signature(std::string_view message);
// For the client. Comments stay on the host: they tell of names and paths.
std::string encode_keys(const std::vector<std::string>& keys);
std::string encode_signature(std::string_view signature);
std::string encode_success();
std::string encode_failure();

}  // namespace sbx::sshagent
