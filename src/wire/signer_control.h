// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/members.h"

// What the daemon and a sandbox's signer say to each other (docs/life-of-a-connection.md).
namespace sbx::wire {

// On vm/<name>/signer.sock: two descriptors are attached, a connection to the user's ssh-agent and a line on which each
// use of it is told (SOCK_SEQPACKET). They replace those before.
struct SetSshAgent {
  static constexpr std::string_view kOp = "ssh_agent";
};
using SignerRequest = std::variant<SetSshAgent>;
void describe(Members& members, SetSshAgent& call);

// On the line, from the signer: a key is about to sign a login. It does when SshUseNoted has come, and not before.
struct SshUse {
  std::int64_t number = 0;
  std::string key;   // its fingerprint, SHA256:...
  std::string user;  // at the server
  std::string host;
  std::string host_key;  // the fingerprint of the server's
};
struct SshUseNoted {
  std::int64_t number = 0;
};
void describe(Members& members, SshUse& use);
void describe(Members& members, SshUseNoted& noted);

}  // namespace sbx::wire
