// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace sbx {

// The word that was probably meant by a misspelt one: that with the fewest changed characters, two at most. Empty: none
// is near.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> words);

}  // namespace sbx
