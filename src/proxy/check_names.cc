// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/names.h"
#include "proxy/filters.h"

namespace sbx::proxy {

// SECURITY: a server that serves many hosts goes by what the request says. Each place that says it is checked, because
// readers differ in which of them counts.
Refusal check_names(const Question& question, http::RequestHead& head) {
  for (const auto* said : {&head.authority, &head.second_authority})
    if (*said)
      if (auto refused = policy::refused_authority(question.origin.target, question.origin.encrypted, **said))
        return refused;
  return std::nullopt;
}

}  // namespace sbx::proxy
