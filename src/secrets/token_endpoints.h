// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "secrets/services.h"

namespace sbx::secrets {

// Where a login of one form gets its next tokens, and as which client: the agent's own, whose login it is.
struct TokenEndpoint {
  ValueForm form = ValueForm::kPlain;
  std::string host;
  std::string path;
  std::string client_id;
  bool names_scopes = false;  // the request repeats the scopes of the login
};

// Null: what has this form is not refreshed.
const TokenEndpoint* token_endpoint_of(ValueForm form);

}  // namespace sbx::secrets
