// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::cli {

// An agent whose login in a sandbox can be taken out of it.
struct LoginKind {
  std::string_view agent;    // also what the secret is called, if the user does not say
  std::string_view service;  // that it is bound to
  std::string_view path;     // of the file, in the agent's home
  Result<std::string> (*read)(std::string_view file);
};
std::span<const LoginKind> login_kinds();
// kInvalid: no login of that agent can be captured.
Result<LoginKind> login_kind(std::string_view agent);

inline constexpr std::size_t kLargestLogin = 64u << 10;

// What is to be stored of the file, which a guest has written and so may say anything: made anew of the parts that a
// login has, each checked for its form. What else is in the file is left out. No error repeats any of it.
Result<std::string> claude_login_in(std::string_view file);
Result<std::string> codex_login_in(std::string_view file);

}  // namespace sbx::cli
