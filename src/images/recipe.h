// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sbx::images {

// What goes into a template. The table is in recipe.cc: a new template is a new row.
struct Recipe {
  std::string_view name;
  std::string_view variant;  // mmdebstrap's
  std::vector<std::string_view> packages;
  std::vector<std::string_view> left_out;  // paths of packages that are not unpacked
};

const std::vector<Recipe>& recipes();

// kNotFound names the ones there are.
Result<const Recipe*> find_recipe(std::string_view name);

// The distribution that the host runs and its templates are made of.
struct Distribution {
  std::string id;        // "debian"
  std::string codename;  // "bookworm"
};
Result<Distribution> host_distribution(const std::string& os_release = "/etc/os-release");

// Names what a build would result in without doing it: equal keys, interchangeable trees. It covers the recipe, the
// distribution, whose ids own the files, and the version of this code's own doings.
std::string key_of(const Recipe& recipe, const Distribution& distribution);

}  // namespace sbx::images
