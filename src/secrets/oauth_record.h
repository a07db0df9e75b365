// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "secrets/services.h"

namespace sbx::secrets {

// A login as agents keep it: a token for requests, which expires, and one to get the next pair with, which can be used
// once. Claude Code's .credentials.json {"claudeAiOauth": {...}} or codex's auth.json {"tokens": {...}}.
struct OAuthRecord {
  ValueForm form = ValueForm::kPlain;
  std::string refresh_token;  // empty: it cannot be refreshed
  std::vector<std::string> scopes;
  std::optional<WallTime> expires_at;  // of the token for requests; nothing: it does not say
};

// Nothing: the value is no such login.
std::optional<OAuthRecord> oauth_record_in(std::string_view value);

// What an endpoint has answered.
struct NewTokens {
  std::string access_token;
  std::string refresh_token;  // empty: the old one stays
  std::string id_token;       // the same
  std::optional<std::chrono::seconds> expires_in;
};
// Of an answer that is not what we expect, no part is repeated in the error.
Result<NewTokens> new_tokens_in(std::string_view answer);

// The login with these tokens in it, and all else as it was. The value must be one (oauth_record_in).
std::string with_new_tokens(std::string_view value, const NewTokens& tokens, WallTime time);
// For those who may use the login and must not use it up. A value that is no login is as it was.
std::string without_refresh_token(std::string_view value);

}  // namespace sbx::secrets
