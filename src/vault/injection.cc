// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/injection.h"

#include <algorithm>

#include "base/base64.h"
#include "base/format.h"
#include "vault/basic.h"

namespace sbx::vault {
namespace {

using wire::CredentialView;
using CredentialsOfHost = std::span<const CredentialView* const>;

constexpr std::string_view kAuthorization = "authorization";

bool has_field(const BoundRequest& request, std::string_view name) {
  return http::find(request.fields, name).has_value();
}

// Made with all its room, because a string that grows leaves copies of what it held.
std::string replaced(std::string_view text, std::string_view placeholder, std::string_view value) {
  std::string out;
  out.reserve(text.size() + (text.size() / placeholder.size() + 1) * value.size());
  for (auto at = text.find(placeholder); at != std::string_view::npos; at = text.find(placeholder)) {
    out.append(text.substr(0, at)).append(value);
    text.remove_prefix(at + placeholder.size());
  }
  return out.append(text);
}

std::string_view placeholder_in(std::string_view text, const CredentialView& credential) {
  for (const std::string_view placeholder : credential.placeholders)
    if (!placeholder.empty() && text.find(placeholder) != std::string_view::npos) return placeholder;
  return {};
}

// Two credentials may have the same placeholder; then the field tells which of them is meant.
const CredentialView* meant_by(std::string_view text, std::string_view field, CredentialsOfHost credentials) {
  const CredentialView* first = nullptr;
  for (const CredentialView* each : credentials) {
    if (placeholder_in(text, *each).empty()) continue;
    if (http::same_name(each->header, field)) return each;
    if (first == nullptr) first = each;
  }
  return first;
}

// The credential whose placeholder was in the field, in whose place there is the value now.
const CredentialView* fill_in(std::string_view field, std::string& value, CredentialsOfHost credentials,
                              Injected& done) {
  const auto plain = text_in_basic(value);
  const CredentialView* meant = meant_by(plain ? *plain : value, field, credentials);
  if (meant == nullptr) return nullptr;
  const std::string_view placeholder = placeholder_in(plain ? *plain : value, *meant);
  if (plain) {
    const std::string text = base64(replaced(*plain, placeholder, meant->value));
    value = "Basic " + text;
    done.secrets.push_back(text);
  } else {
    value = replaced(value, placeholder, meant->value);
  }
  done.secrets.emplace_back(meant->value);
  return meant;
}

void set_field(BoundRequest& request, const CredentialView& credential, Injected& done) {
  done.credential = credential.name;
  done.secrets.emplace_back(credential.value);
  std::string value = std::string(credential.prefix) + std::string(credential.value);
  if (!credential.basic_user.empty()) {
    value = basic(std::string(credential.basic_user) + ":" + std::string(credential.value));
    done.secrets.push_back(value.substr(value.find(' ') + 1));
  }
  request.fields.emplace_back(credential.header, std::move(value));
}

// SECURITY: a value with a line break in it would be a field of its own, or a request.
bool is_one_line(std::string_view value) {
  return std::ranges::none_of(value, [](char c) { return http::is_control(c) && c != '\t'; });
}

NotInjected unfit(std::string_view credential) {
  return {std::string(credential),
          sbx::format("The credential \"{}\" has a line break or another control character in it, which no header can "
                      "have.\nto replace it, on the host: sandbox secret add {} --update",
                      credential, credential)};
}

}  // namespace

bool has_expired(const CredentialView& credential, std::int64_t now_ms) {
  return credential.expires_ms != 0 && credential.expires_ms <= now_ms;
}

NotInjected expired(std::string_view credential) {
  return {
      std::string(credential),
      sbx::format("The credential \"{}\" of this sandbox has expired.\nto renew it, on the host: sandbox secret add "
                  "{} --update",
                  credential, credential)};
}

NotInjected removed(std::string_view credential) {
  return {std::string(credential),
          sbx::format("The credential \"{}\" of this sandbox was removed.\nto see those that there are, on the host: "
                      "sandbox secret ls",
                      credential)};
}

std::variant<Injected, NotInjected> inject(BoundRequest& request, CredentialsOfHost credentials, std::int64_t now_ms) {
  Injected done;
  const auto usable = [now_ms](const CredentialView& each) -> std::optional<NotInjected> {
    if (has_expired(each, now_ms)) return expired(each.name);
    return is_one_line(each.value) ? std::nullopt : std::optional(unfit(each.name));
  };
  for (auto& [name, value] : request.fields) {
    // As often as there are placeholders of different credentials; a value that is a placeholder itself ends it.
    for (std::size_t left = credentials.size(); left > 0; --left) {
      const CredentialView* filled = fill_in(name, value, credentials, done);
      if (filled == nullptr) break;
      if (auto refusal = usable(*filled)) return *refusal;
      done.credential = filled->name;
    }
  }
  if (!done.credential.empty()) return done;
  const CredentialView* stale = nullptr;
  for (const CredentialView* each : credentials) {
    if (each->header.empty() || has_field(request, kAuthorization) || has_field(request, each->header)) continue;
    if (usable(*each)) {
      if (stale == nullptr) stale = each;
      continue;
    }
    set_field(request, *each, done);
    return done;
  }
  if (stale != nullptr) return *usable(*stale);
  return done;
}

}  // namespace sbx::vault
