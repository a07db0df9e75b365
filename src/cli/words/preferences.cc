// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/preferences.h"

#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <string_view>

namespace sbx::cli {
namespace {

constexpr const char* kLocale[] = {"LANG", "LC_ALL"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string link_of(const char* path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t size = ::readlink(path, target.data(), target.size());
  return std::string(target.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
}

std::string time_zone() {
  std::string zone = variable("TZ");
  if (zone.starts_with(':')) zone.erase(0, 1);
  return zone.empty() ? time_zone_of_link(link_of("/etc/localtime")) : zone;
}

}  // namespace

std::string time_zone_of_link(const std::string& target) {
  constexpr std::string_view kZones = "/zoneinfo/";
  const std::size_t at = target.find(kZones);
  return at == std::string::npos ? "" : target.substr(at + kZones.size());
}

wire::Environment terminal_preferences(bool tty) {
  wire::Environment preferences;
  if (std::string zone = time_zone(); !zone.empty()) preferences.emplace_back("TZ", std::move(zone));
  for (const char* name : kLocale)
    if (std::string value = variable(name); !value.empty()) preferences.emplace_back(name, std::move(value));
  if (std::string colours = variable("COLORTERM"); tty && !colours.empty())
    preferences.emplace_back("COLORTERM", std::move(colours));
  return preferences;
}

}  // namespace sbx::cli
