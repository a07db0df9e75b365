// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/claude_file.h"

#include "base/json.h"

namespace sbx::secrets {
namespace {

constexpr const char* kObject = "claudeAiOauth";
constexpr std::int64_t kNeverExpires = 4'102'444'800'000;  // the year 2100, in milliseconds

}  // namespace

Result<std::string> claude_file_for_guest(std::string_view users_file, const std::string& placeholder) {
  const auto json = parse_json(users_file);
  if (!json || !json->is_object() || !json->contains(kObject) || !(*json)[kObject].is_object())
    return fail(Code::kInvalid, "the secret is not a file of Claude Code's with \"claudeAiOauth\" in it");
  const Json& users = (*json)[kObject];
  Json login{{"accessToken", placeholder}, {"refreshToken", placeholder}, {"expiresAt", kNeverExpires}};
  login["scopes"] = Json::array();
  if (users.contains("scopes") && users["scopes"].is_array())
    for (const Json& scope : users["scopes"])
      if (scope.is_string()) login["scopes"].push_back(scope);
  for (const char* name : {"subscriptionType", "rateLimitTier"})
    if (users.contains(name) && users[name].is_string()) login[name] = users[name];
  return dump_pretty(Json{{kObject, login}}) + "\n";
}

}  // namespace sbx::secrets
