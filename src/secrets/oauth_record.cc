// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/oauth_record.h"

#include <algorithm>

#include "base/json.h"
#include "secrets/web_token.h"

namespace sbx::secrets {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kLongestToken = 16u << 10;
constexpr std::int64_t kLastSecond = 4'102'444'800;  // the year 2100: later is never, and does not overflow
constexpr seconds kLongestLife{366 * 24 * 3600};
// Of a token that does not say when it expires: when codex itself refreshes it.
constexpr hours kCodexLife{8 * 24};

// The names that a form has for the parts of a login.
struct Names {
  const char* object;
  const char* access_token;
  const char* refresh_token;
};
constexpr Names kClaudeNames{"claudeAiOauth", "accessToken", "refreshToken"};
constexpr Names kCodexNames{"tokens", "access_token", "refresh_token"};

const Names& names_of(ValueForm form) { return form == ValueForm::kCodexFile ? kCodexNames : kClaudeNames; }

std::string text_member(const Json& object, const char* name) {
  return object.contains(name) && object[name].is_string() ? object[name].get<std::string>() : "";
}

std::optional<std::int64_t> integer_member(const Json& object, const char* name) {
  if (!object.contains(name) || !object[name].is_number_integer()) return std::nullopt;
  return object[name].get<std::int64_t>();
}

std::optional<WallTime> time_of(std::optional<seconds> since_epoch) {
  if (!since_epoch || since_epoch->count() < 0 || since_epoch->count() > kLastSecond) return std::nullopt;
  return WallTime(*since_epoch);
}

// A login that was read, and which part of it has the tokens.
struct Opened {
  ValueForm form;
  Json file;
  Json& part() { return file[names_of(form).object]; }
};

std::optional<Opened> opened(std::string_view value) {
  const ValueForm form = form_of_value(value);
  if (!value.starts_with('{') || form == ValueForm::kPlain) return std::nullopt;
  auto file = parse_json(value);
  if (!file || !file->is_object()) return std::nullopt;
  const Names& names = names_of(form);
  if (!file->contains(names.object) || !(*file)[names.object].is_object()) return std::nullopt;
  if (text_member((*file)[names.object], names.access_token).empty()) return std::nullopt;
  return Opened{form, std::move(*file)};
}

std::optional<WallTime> expiry_of_claude(const Json& part) {
  const auto at = integer_member(part, "expiresAt");
  if (!at || *at < 0) return std::nullopt;
  return time_of(std::chrono::duration_cast<seconds>(milliseconds(*at)));
}

std::optional<WallTime> expiry_of_codex(const Json& file, const Json& part) {
  if (const auto at = integer_member(claims_of(text_member(part, "access_token")), "exp")) return time_of(seconds(*at));
  // To the second: agents write fractions of any length.
  const auto refreshed = parse_rfc3339(text_member(file, "last_refresh").substr(0, 19) + "Z");
  if (!refreshed) return std::nullopt;
  return *refreshed + kCodexLife;
}

bool is_token(std::string_view text) {
  return text.size() <= kLongestToken &&
         std::ranges::all_of(text, [](unsigned char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

std::optional<OAuthRecord> oauth_record_in(std::string_view value) {
  auto login = opened(value);
  if (!login) return std::nullopt;
  const Json& part = login->part();
  OAuthRecord record;
  record.form = login->form;
  record.refresh_token = text_member(part, names_of(login->form).refresh_token);
  record.expires_at =
      login->form == ValueForm::kCodexFile ? expiry_of_codex(login->file, part) : expiry_of_claude(part);
  if (part.contains("scopes") && part["scopes"].is_array())
    for (const Json& scope : part["scopes"])
      if (scope.is_string()) record.scopes.push_back(scope.get<std::string>());
  return record;
}

Result<NewTokens> new_tokens_in(std::string_view answer) {
  const auto json = parse_json(answer);
  if (!json || !json->is_object()) return fail(Code::kInvalid, "the answer is not JSON");
  NewTokens tokens{text_member(*json, "access_token"), text_member(*json, "refresh_token"),
                   text_member(*json, "id_token"), std::nullopt};
  if (tokens.access_token.empty()) return fail(Code::kInvalid, "the answer has no access token");
  for (const std::string* token : {&tokens.access_token, &tokens.refresh_token, &tokens.id_token})
    if (!is_token(*token)) return fail(Code::kInvalid, "the answer has a token that no header can carry");
  if (const auto life = integer_member(*json, "expires_in"); life && *life > 0)
    tokens.expires_in = std::min(seconds(*life), kLongestLife);
  return tokens;
}

std::string with_new_tokens(std::string_view value, const NewTokens& tokens, WallTime time) {
  Opened login = *opened(value);
  const Names& names = names_of(login.form);
  Json& part = login.part();
  part[names.access_token] = tokens.access_token;
  if (!tokens.refresh_token.empty()) part[names.refresh_token] = tokens.refresh_token;
  if (login.form == ValueForm::kCodexFile) {
    if (!tokens.id_token.empty()) part["id_token"] = tokens.id_token;
    login.file["last_refresh"] = rfc3339(time);
  } else if (tokens.expires_in) {
    part["expiresAt"] = microseconds_of(time + *tokens.expires_in) / 1000;
  } else {
    part.erase("expiresAt");
  }
  return dump(login.file);
}

std::string without_refresh_token(std::string_view value) {
  auto login = opened(value);
  if (!login) return std::string(value);
  const char* name = names_of(login->form).refresh_token;
  if (text_member(login->part(), name).empty()) return std::string(value);
  login->part()[name] = "";
  return dump(login->file);
}

}  // namespace sbx::secrets
