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

// What `-t` and FROM may name besides images: "claude", "claude:2.1.300", "agent-base", "ralph".
struct RecipeName {
  std::string agent;    // of the table, or a recipe of ours
  std::string version;  // of the agent; empty: the one in the table
};
// "agent-base", "ralph": no agents, and no names for one.
bool is_recipe_of_ours(std::string_view name);
// The agent whose version it depends on: of "ralph", claude.
std::string agent_in(const RecipeName& name);
// Nothing for what is no recipe.
std::optional<RecipeName> parse_recipe_name(std::string_view text, const Catalogue& catalogue);

// What npm takes for one, and no more: it becomes a word of a command line.
bool is_version(std::string_view text);

std::string dockerfile_of(const RecipeName& name, const Catalogue& catalogue);

}  // namespace sbx::agents
