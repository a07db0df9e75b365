// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/verdict.h"

namespace sbx::proxy {

// What we say ourselves in place of a server.
struct Answer {
  int status = 0;
  std::string text;
  std::optional<policy::Verdict> refusal = {};  // what it is about, for the log
};

// 400 to what is malformed, 403 with the explanation to all else.
Answer refusal_of(const policy::Target& target, const policy::Verdict& verdict, std::string_view sandbox);
Answer unreachable(const policy::Target& target, std::string_view why);  // 502

}  // namespace sbx::proxy
