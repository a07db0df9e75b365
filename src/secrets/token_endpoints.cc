// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/token_endpoints.h"

#include <vector>

namespace sbx::secrets {
namespace {

// As in the agents' own packages, @anthropic-ai/claude-code and @openai/codex. Both take JSON and rotate refresh
// tokens.
std::vector<TokenEndpoint> endpoints() {
  return {
      {.form = ValueForm::kClaude,
       .host = "platform.claude.com",
       .path = "/v1/oauth/token",
       .client_id = "9d1c250a-e61b-44d9-88ed-5944d1962f5e",
       .names_scopes = true},
      {.form = ValueForm::kCodexFile,
       .host = "auth.openai.com",
       .path = "/oauth/token",
       .client_id = "app_EMoamEEZ73f0CkXaXp7hrann"},
  };
}

}  // namespace

const TokenEndpoint* token_endpoint_of(ValueForm form) {
  static const std::vector<TokenEndpoint> all = endpoints();
  for (const TokenEndpoint& endpoint : all)
    if (endpoint.form == form) return &endpoint;
  return nullptr;
}

}  // namespace sbx::secrets
