// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/filters.h"

namespace sbx::proxy {

Refusal check_policy(const Question& question, http::RequestHead&) {
  return question.standing.allowed() ? std::nullopt : Refusal(question.standing);
}

}  // namespace sbx::proxy
