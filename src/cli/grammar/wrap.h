// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sbx::cli {

inline constexpr std::size_t kHelpWidth = 80;

// The words of a text in lines of at most `width` columns; the first begins at column `at`, the others after `indent`
// blanks. A word that does not fit has a line of its own.
std::string wrapped(std::string_view text, std::size_t at, std::size_t indent, std::size_t width = kHelpWidth);

// Paragraphs, which an empty line parts; line breaks within one mean nothing.
std::string wrapped_paragraphs(std::string_view text, std::size_t width = kHelpWidth);

}  // namespace sbx::cli
