// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

// The words of an instruction, as a shell would read them.
namespace sbx::dockerfile {

using Scope = std::map<std::string, std::string>;  // what variables stand for

// Quotes removed, variables replaced: $A, ${A}, ${A:-other}, ${A:+other}, ${A-other}, ${A+other}; one that is not known
// is empty. Inside '...' nothing is replaced.
Result<std::string> expand(std::string_view text, const Scope& scope, char escape);

// The same for several words.
Result<std::vector<std::string>> expand_words(std::string_view text, const Scope& scope, char escape);

// "A=1 B='two words'", or the older "A the rest", as ENV, LABEL and ARG have it.
Result<std::vector<std::pair<std::string, std::string>>> expand_pairs(std::string_view text, const Scope& scope,
                                                                      char escape);

}  // namespace sbx::dockerfile
