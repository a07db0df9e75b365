// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "sshagent/agent_message.h"

// What a shim and its signer say to each other, one packet each (gate/line.h).
namespace sbx::sshagent {

using Ticket = std::uint64_t;

// From the shim, which the signer does not trust: in its own form and not the agent's, so that the signer makes what
// the agent hears.
struct SignAt {
  Sign sign;
  std::string host;      // where the login is to be, as the shim has seen it
  std::string host_key;  // of the server there

  bool operator==(const SignAt&) const = default;
};
struct Ask {
  Ticket ticket;
  std::variant<ListKeys, SignAt> request;
};

// From the signer.
struct Keys {
  std::vector<std::string> keys;
};
struct Signature {
  std::string signature;
};
struct Refused {};
struct Answer {
  Ticket ticket;
  std::variant<Refused, Keys, Signature> outcome;
};

std::string encode(const Ask& ask);
std::string encode(const Answer& answer);
Result<Ask> decode_ask(std::string_view packet);
Result<Answer> decode_answer(std::string_view packet);

}  // namespace sbx::sshagent
