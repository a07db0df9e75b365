// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "secrets/secret.h"
#include "secrets/services.h"

namespace sbx::secrets {

// A login of the user's at a registry, as docker or npm keeps it on the host.
struct RegistryLogin {
  std::string tool;      // "docker", "npm"
  std::string registry;  // as the tool calls it
  Place place;           // which requests get it, and how
  std::shared_ptr<const Secret> value;
};

// The host in "https://registry.example.com:5000/v2/", in lower case; nothing: there is none that requests could name.
std::optional<std::string> registry_host(std::string_view registry);

// Of a user and password: Basic authorization. Nothing: no header could carry it.
std::optional<RegistryLogin> basic_login(RegistryLogin login, std::string_view user, std::string_view password);
std::optional<RegistryLogin> bearer_login(RegistryLogin login, std::string_view token);

// What "user:password" in base64 says; nothing: it is not that.
struct UserAndPassword {
  std::string user;
  std::string password;
};
std::optional<UserAndPassword> decode_basic(std::string_view encoded);

}  // namespace sbx::secrets
