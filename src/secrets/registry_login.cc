// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/registry_login.h"

#include <algorithm>
#include <cctype>

#include "base/base64.h"

namespace sbx::secrets {
namespace {

constexpr const char* kAuthorization = "authorization";

bool is_in_a_name(unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '-'; }

// SECURITY: a line break in it would be a field of its own.
bool fits_a_header(std::string_view value) {
  return !value.empty() && std::ranges::none_of(value, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

}  // namespace

std::optional<std::string> registry_host(std::string_view registry) {
  if (const auto scheme = registry.find("//"); scheme != std::string_view::npos) registry.remove_prefix(scheme + 2);
  std::string host(registry.substr(0, registry.find_first_of("/:")));
  if (host.empty() || !std::ranges::all_of(host, is_in_a_name)) return std::nullopt;
  std::ranges::transform(host, host.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return host;
}

std::optional<RegistryLogin> basic_login(RegistryLogin login, std::string_view user, std::string_view password) {
  // A user without a name cannot be told from a token.
  if (!fits_a_header(user) || !fits_a_header(password) || user.find(':') != std::string_view::npos) return std::nullopt;
  login.place.header = kAuthorization;
  login.place.basic_user = user;
  login.value = std::make_shared<const Secret>(Secret::copy_of(password));
  return login;
}

std::optional<RegistryLogin> bearer_login(RegistryLogin login, std::string_view token) {
  if (!fits_a_header(token)) return std::nullopt;
  login.place.header = kAuthorization;
  login.place.prefix = "Bearer ";
  login.value = std::make_shared<const Secret>(Secret::copy_of(token));
  return login;
}

std::optional<UserAndPassword> decode_basic(std::string_view encoded) {
  const auto text = from_base64(encoded);
  const auto colon = text ? text->find(':') : std::string::npos;
  if (colon == std::string::npos) return std::nullopt;
  return UserAndPassword{text->substr(0, colon), text->substr(colon + 1)};
}

}  // namespace sbx::secrets
