// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "secrets/oauth_record.h"
#include "secrets/token_endpoints.h"

namespace sbx::secrets {

// What came of a request for tokens.
struct TokenAnswer {
  int status = 0;     // of HTTP; 0: there was no answer
  bool sent = false;  // the refresh token may have reached the endpoint, and be used up
  std::string body;
  std::string why;  // there was no answer
};

// Asks the endpoint for the next tokens of a login, over verified TLS, by curl: a process that ends with the request.
// Blocks for kTokenRequestLimit at most. The user's proxy (https_proxy) and certificates (SSL_CERT_FILE) count, .curlrc
// does not. No redirect is followed, so that no other host gets the token.
inline constexpr std::chrono::seconds kTokenRequestLimit{20};
TokenAnswer request_tokens(const TokenEndpoint& endpoint, const OAuthRecord& record);

}  // namespace sbx::secrets
