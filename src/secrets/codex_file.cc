// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/codex_file.h"

#include "base/json.h"
#include "secrets/web_token.h"

namespace sbx::secrets {
namespace {

constexpr const char* kClaims = "https://api.openai.com/auth";
constexpr const char* kFarAway = "2099-01-01T00:00:00Z";
constexpr std::int64_t kNeverOver = 4'102'444'800;  // the year 2100

std::string text_in(const Json& object, const char* name) {
  return object.is_object() && object.contains(name) && object[name].is_string() ? object[name].get<std::string>() : "";
}

// Codex reads it and checks no signature.
std::string identity_token(const Json& users, const std::string& account, const std::string& placeholder) {
  const Json theirs = users.is_object() && users.contains(kClaims) ? users[kClaims] : Json::object();
  const Json claims{{"email", placeholder},
                    {"exp", kNeverOver},
                    {kClaims,
                     {{"chatgpt_plan_type", text_in(theirs, "chatgpt_plan_type")},
                      {"chatgpt_account_id", account},
                      {"chatgpt_user_id", placeholder}}}};
  return unsigned_token(claims, placeholder);
}

}  // namespace

Result<std::string> codex_file_for_guest(std::string_view users_file, const std::string& placeholder) {
  const auto json = parse_json(users_file);
  if (!json || !json->is_object() || !json->contains("tokens") || !(*json)["tokens"].is_object())
    return fail(Code::kInvalid, "the secret is not a file of codex's with \"tokens\" in it");
  const Json& tokens = (*json)["tokens"];
  const std::string account = text_in(tokens, "account_id");
  const Json file{{"auth_mode", "chatgpt"},
                  {"OPENAI_API_KEY", nullptr},
                  {"tokens",
                   {{"id_token", identity_token(claims_of(text_in(tokens, "id_token")), account, placeholder)},
                    {"access_token", placeholder},
                    {"refresh_token", placeholder},
                    {"account_id", account}}},
                  {"last_refresh", kFarAway}};
  return dump_pretty(file) + "\n";
}

}  // namespace sbx::secrets
