// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::store {

inline constexpr std::size_t kShortestName = 2;
inline constexpr std::size_t kLongestName = 63;

// A sandbox's name is a directory's and a host's: letters, digits and -_.+, the first a letter or digit, 2 to 63 of
// them, never "..". The error says which of these it is.
Result<> check_name(std::string_view name);

// The same characters, from one on: the rule for an agent's name.
Result<> check_agent_name(std::string_view name);

// The text with everything that a name may not hold made into -, at most `longest` long; may be shorter than a name.
std::string name_from(std::string_view text, std::size_t longest = kLongestName);

}  // namespace sbx::store
