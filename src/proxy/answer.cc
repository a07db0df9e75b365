// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/answer.h"

#include "base/format.h"

namespace sbx::proxy {

Answer refusal_of(const policy::Target& target, const policy::Verdict& verdict, std::string_view sandbox) {
  if (verdict.reason == policy::Reason::kMalformed) return {400, verdict.detail + "\n", verdict};
  if (verdict.reason == policy::Reason::kCredential) return {403, verdict.detail + "\n", verdict};
  return {403, policy::explanation(target, verdict, sandbox), verdict};
}

Answer unreachable(const policy::Target& target, std::string_view why) {
  return {502, sbx::format("Cannot reach {}: {}\n", target.text(), why)};
}

}  // namespace sbx::proxy
