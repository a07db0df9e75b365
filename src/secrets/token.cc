// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/token.h"

#include <algorithm>

#include "base/json.h"

namespace sbx::secrets {
namespace {

// No message of the parser's, which may quote what it has read.
Result<std::string> member_in(std::string_view text, const char* object, const char* member) {
  const auto json = parse_json(text);
  const Json* part = json && json->is_object() && json->contains(object) ? &(*json)[object] : nullptr;
  if (part == nullptr || !part->is_object() || !part->contains(member) || !(*part)[member].is_string())
    return fail(Code::kInvalid, "the secret has no \"" + std::string(member) + "\" in \"" + object + "\"");
  return (*part)[member].get<std::string>();
}

Result<std::string> token_in(ValueForm form, std::string_view value) {
  if (form == ValueForm::kCodexFile) return member_in(value, "tokens", "access_token");
  if (form == ValueForm::kClaude && value.starts_with('{')) return member_in(value, "claudeAiOauth", "accessToken");
  return std::string(value);
}

}  // namespace

Result<std::string> token_of(ValueForm form, std::string_view value) {
  TRY_ASSIGN(std::string token, token_in(form, value));
  const bool fits = std::ranges::all_of(token, [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
  if (!fits || token.empty()) return fail(Code::kInvalid, "the secret has several lines: no header can carry it");
  return token;
}

}  // namespace sbx::secrets
