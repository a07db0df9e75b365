// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// What a signer of SSH logins asks the gate (sshagent/signer.h), one packet each.
namespace sbx::gate {

inline constexpr std::uint16_t kSshPort = 22;

// To which hosts is a connection open now, on port 22, that a rule lets speak SSH?
struct SshQuestion {
  std::uint64_t number;
};
struct SshAnswer {
  std::uint64_t number;
  std::vector<std::string> hosts;  // the first 64
};

std::string encode(const SshQuestion& question);
std::string encode(const SshAnswer& answer);
Result<SshQuestion> decode_ssh_question(std::string_view packet);
Result<SshAnswer> decode_ssh_answer(std::string_view packet);

}  // namespace sbx::gate
