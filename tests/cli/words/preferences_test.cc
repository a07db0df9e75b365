// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/preferences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace sbx::cli {
namespace {

std::string value_in(const wire::Environment& environment, const std::string& key) {
  const auto it = std::ranges::find(environment, key, &wire::Environment::value_type::first);
  return it == environment.end() ? "(none)" : it->second;
}

TEST(Preferences, AreTimeZoneLocaleAndColours) {
  ::setenv("TZ", ":Asia/Tokyo", 1);
  ::setenv("LANG", "de_DE.UTF-8", 1);
  ::setenv("COLORTERM", "truecolor", 1);
  ::setenv("SECRET", "x", 1);
  const auto all = terminal_preferences(true);
  EXPECT_EQ(value_in(all, "TZ"), "Asia/Tokyo");
  EXPECT_EQ(value_in(all, "LANG"), "de_DE.UTF-8");
  EXPECT_EQ(value_in(all, "COLORTERM"), "truecolor");
  EXPECT_EQ(value_in(all, "SECRET"), "(none)");
  EXPECT_EQ(value_in(terminal_preferences(false), "COLORTERM"), "(none)");
}

TEST(Preferences, ATimeZoneIsReadFromTheLink) {
  EXPECT_EQ(time_zone_of_link("/usr/share/zoneinfo/Europe/Berlin"), "Europe/Berlin");
  EXPECT_EQ(time_zone_of_link("../usr/share/zoneinfo/UTC"), "UTC");
  EXPECT_EQ(time_zone_of_link("/etc/timezone"), "");
}

}  // namespace
}  // namespace sbx::cli
