// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sbx::cli {

struct Candidate {
  std::string word;
  std::string description;
};

// What the shell does besides: the numbers are those of cobra's protocol, which docker speaks with its plugins.
enum class Directive { kFiles = 0, kNothing = 4, kDirectories = 16 };

struct Completions {
  std::vector<Candidate> candidates;
  Directive directive = Directive::kNothing;
};

// What the daemon knows; asked only if it is wanted.
struct Known {
  std::function<std::vector<std::string>()> sandboxes;
  std::function<std::vector<Candidate>(const std::string& sandbox)> sessions;
  std::function<std::vector<std::string>()> templates;
  std::function<std::vector<std::string>()> secrets;
};

// What may stand for the last of the words (which may be empty), given those before it. From the command table.
Completions complete(std::span<const std::string> words, const Known& known);

// The lines that the shells' scripts and docker read: candidate, tab, description; then a colon and the directive.
std::string render(const Completions& completions);

// The script for bash, zsh or fish: it asks `sandbox __complete` at every tab.
Result<std::string> completion_script(std::string_view shell);

}  // namespace sbx::cli
