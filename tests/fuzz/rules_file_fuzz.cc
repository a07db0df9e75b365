// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "policy/policy.h"
#include "policy/rules_file.h"

// A proxy-config.json of anybody's. What is accepted is the same after it was written, and makes a policy that answers.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx::policy;
  const auto rules = read_rules({reinterpret_cast<const char*>(data), size}, "file");
  if (!rules) return 0;
  const auto again = read_rules(write_rules(*rules), "file");
  if (!again || *again != *rules) std::abort();
  const Policy policy(*rules);
  const auto target = parse_target("a.example.com:443");
  const Verdict verdict = policy.at_address(*target, policy.at_connect(*target), Address::v4({10, 0, 0, 1}));
  if (verdict.rule.empty()) std::abort();
  return 0;
}
