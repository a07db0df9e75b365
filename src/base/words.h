// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sbx {

// What stands between blanks: spaces, tabs, ends of lines. Without a stream, whose first use costs an emulated machine
// milliseconds.
std::vector<std::string> words_of(std::string_view text);

}  // namespace sbx
