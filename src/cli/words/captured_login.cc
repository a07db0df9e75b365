// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/captured_login.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "wire/secret.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kLongestToken = 16u << 10;
constexpr std::size_t kLongestWord = 128;
constexpr std::size_t kMostScopes = 64;
constexpr std::int64_t kLatestExpiry = 4'102'444'800'000;  // the year 2100, in milliseconds

constexpr std::array<LoginKind, 2> kLoginKinds{{
    {"claude", "anthropic", ".claude/.credentials.json", claude_login_in},
    {"codex", "openai", ".codex/auth.json", codex_login_in},
}};

// The characters of a bearer token (RFC 6750, b64token). Those that mean something to a shell are not among them.
bool is_token(std::string_view text) {
  static constexpr std::string_view kBesides = "-._~+/=";
  return !text.empty() && text.size() <= kLongestToken && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || kBesides.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= kLongestWord && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == ':' || c == '.';
  });
}

// Copies parts of what the guest has into what is stored. The first that is not as it must be is the error.
class LoginReader {
 public:
  explicit LoginReader(const Json& from) : from_(from) {}

  void token(const char* name, bool required) { text(name, required, is_token); }
  void word(const char* name) { text(name, false, is_word); }
  void words(const char* name) {
    const Json* list = find(name);
    if (list == nullptr) return;
    const bool fits =
        list->is_array() && list->size() <= kMostScopes && std::ranges::all_of(*list, [](const Json& one) {
          return one.is_string() && is_word(one.get_ref<const std::string&>());
        });
    keep(name, *list, fits);
  }
  void time(const char* name) {
    const Json* value = find(name);
    if (value == nullptr) return;
    keep(name, *value, value->is_number_unsigned() && value->get<std::uint64_t>() <= kLatestExpiry);
  }

  Result<Json> finish() && {
    if (!wrong_.empty()) return fail(Code::kInvalid, "the login in the sandbox is malformed: " + wrong_);
    return std::move(login_);
  }

 private:
  const Json* find(const char* name) const {
    return from_.contains(name) && !from_[name].is_null() ? &from_[name] : nullptr;
  }
  void text(const char* name, bool required, bool (*fits)(std::string_view)) {
    const Json* value = find(name);
    if (value == nullptr || (!required && *value == "")) {
      if (required) wrong(name, "is missing");
      return;
    }
    keep(name, *value, value->is_string() && fits(value->get_ref<const std::string&>()));
  }
  void keep(const char* name, const Json& value, bool fits) {
    if (fits)
      login_[name] = value;
    else
      wrong(name, "is not what it should be");
  }
  void wrong(const char* name, const char* how) {
    if (wrong_.empty()) wrong_ = "\"" + std::string(name) + "\" " + how;
  }

  const Json& from_;
  Json login_ = Json::object();
  std::string wrong_;
};

Result<Json> file_of(std::string_view text) {
  if (text.size() > kLargestLogin) return fail(Code::kTooLarge, "the file of the login is larger than 64 KiB");
  auto json = parse_json(text);
  if (!json || !json->is_object()) return fail(Code::kInvalid, "the file of the login in the sandbox is not JSON");
  return std::move(*json);
}

bool has_object(const Json& file, const char* name) { return file.contains(name) && file[name].is_object(); }

// What we have put there ourselves is no login.
Result<> check_real(const Json& login, const char* access_token) {
  if (login[access_token].get_ref<const std::string&>().find(wire::kManagedByTheProxy) == std::string::npos)
    return Ok{};
  return fail(Code::kConflict, "the sandbox uses a login of the store, and has a placeholder only");
}

}  // namespace

std::span<const LoginKind> login_kinds() { return kLoginKinds; }

Result<LoginKind> login_kind(std::string_view agent) {
  const auto found = std::ranges::find(kLoginKinds, agent, &LoginKind::agent);
  if (found != kLoginKinds.end()) return *found;
  return fail(Code::kInvalid, "logins of claude and codex can be captured, and not of " + printable(agent));
}

Result<std::string> claude_login_in(std::string_view file) {
  TRY_ASSIGN(const Json json, file_of(file));
  if (!has_object(json, "claudeAiOauth"))
    return fail(Code::kNotFound, "claude has no login of an account in the sandbox");
  LoginReader reader(json["claudeAiOauth"]);
  reader.token("accessToken", true);
  reader.token("refreshToken", false);
  reader.time("expiresAt");
  reader.words("scopes");
  reader.word("subscriptionType");
  reader.word("rateLimitTier");
  TRY_ASSIGN(const Json login, std::move(reader).finish());
  TRY(check_real(login, "accessToken"));
  return dump(Json{{"claudeAiOauth", login}});
}

Result<std::string> codex_login_in(std::string_view file) {
  TRY_ASSIGN(const Json json, file_of(file));
  if (!has_object(json, "tokens"))
    return fail(Code::kNotFound, "codex has no login of an account in the sandbox",
                "sandbox secret add openai, if it is a key that you have");
  LoginReader reader(json["tokens"]);
  reader.token("access_token", true);
  reader.token("refresh_token", false);
  reader.token("id_token", false);
  reader.word("account_id");
  TRY_ASSIGN(const Json login, std::move(reader).finish());
  TRY(check_real(login, "access_token"));
  Json stored{{"tokens", login}};
  if (json.contains("last_refresh") && json["last_refresh"].is_string())
    if (const auto time = parse_rfc3339(json["last_refresh"].get<std::string>().substr(0, 19) + "Z"))
      stored["last_refresh"] = rfc3339(*time);
  return dump(stored);
}

}  // namespace sbx::cli
