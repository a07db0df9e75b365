// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/package_sources.h"

#include <cstdlib>

#include "base/file.h"
#include "base/home.h"
#include "base/text.h"
#include "images/apt_sources.h"
#include "images/recipe.h"

namespace sbx::builds {
namespace {

constexpr const char* kPublicRegistry = "https://registry.npmjs.org";
constexpr std::size_t kLargestSettings = 1u << 20;

std::string npm_registry() {
  for (const char* variable : {"npm_config_registry", "NPM_CONFIG_REGISTRY"})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') return value;
  const auto home = user_home();
  const auto settings = home ? read_file(*home + "/.npmrc", kLargestSettings) : Result<std::string>("");
  const std::string registry = settings ? registry_in(*settings) : "";
  return registry.empty() ? kPublicRegistry : registry;
}

std::vector<std::string> apt_hosts() {
  std::vector<std::string> hosts;
  const auto distribution = images::host_distribution();
  const auto sources = distribution ? images::host_sources("/etc/apt", distribution->codename)
                                    : Result<std::vector<images::AptSource>>(std::vector<images::AptSource>());
  if (!sources) return hosts;
  for (const images::AptSource& source : *sources)
    for (const std::string& uri : source.uris)
      if (std::string host = host_in(uri); !host.empty()) hosts.push_back(std::move(host));
  return hosts;
}

}  // namespace

std::string registry_in(std::string_view npmrc) {
  std::string found;
  for (const std::string& line : split(npmrc, '\n')) {
    const auto equals = line.find('=');
    if (equals == std::string::npos || trimmed(line.substr(0, equals)) != "registry") continue;
    found = trimmed(std::string_view(line).substr(equals + 1));
  }
  return found;
}

std::string host_in(std::string_view address) {
  const auto scheme = address.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view host = address.substr(scheme + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  if (const auto at = host.rfind('@'); at != std::string_view::npos) host.remove_prefix(at + 1);
  if (host.starts_with('[')) return std::string(host.substr(0, host.find(']') + 1));
  return std::string(host.substr(0, host.find(':')));
}

std::string without_user(const std::string& address) {
  const auto scheme = address.find("://");
  const auto at = address.rfind('@', scheme == std::string::npos ? 0 : address.find('/', scheme + 3));
  if (scheme == std::string::npos || at == std::string::npos || at < scheme) return address;
  return address.substr(0, scheme + 3) + address.substr(at + 1);
}

// SECURITY: what is built runs programs of strangers, so no login of the user's goes with it.
PackageSources package_sources() {
  const std::string registry = without_user(npm_registry());
  PackageSources sources{apt_hosts(), {{"npm_config_registry", registry}}};
  if (std::string host = host_in(registry); !host.empty()) sources.hosts.push_back(std::move(host));
  return sources;
}

}  // namespace sbx::builds
