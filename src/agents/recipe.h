// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agents/catalogue.h"

// What the templates of agents are made of: Dockerfiles, run by the builds room in a sandbox. All of them stand on one
// layer with what every agent needs, so that each has only itself to add.
namespace sbx::agents {

inline constexpr std::string_view kCommonTemplate = "agent-base";

// What `-t` and FROM may name besides images: "claude", "claude:2.1.300", "agent-base".
struct RecipeName {
  std::string agent;    // of the table, or kCommonTemplate
  std::string version;  // of the agent; empty: the one in the table
};
// Nothing for what is no recipe.
std::optional<RecipeName> parse_recipe_name(std::string_view text, const Catalogue& catalogue);

std::string dockerfile_of(const RecipeName& name, const Catalogue& catalogue);

}  // namespace sbx::agents
