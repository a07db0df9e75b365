// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/json.h"

namespace sbx::cli {

enum class Style { kError, kGood, kWarning, kBold };

// The text in colour if the descriptor is a terminal and NO_COLOR is not set; otherwise as it is.
std::string styled(const Fd& fd, Style style, std::string_view text);

// `error: what` and, where there is a hint, `try: hint`, on standard error. Control characters are escaped.
void print_error(const Error& error, const Fd& err);

// To standard output, through stdio: main checks at the end whether all of it arrived.
void print(std::string_view text);
void print_json(const Json& value);
// The value as one line, or as print_json writes it. What steers a display (utf8.h) is written as \uNNNN, which means
// the same in JSON.
std::string json_line(const Json& value);
std::string json_lines(const Json& value);
// The value with every text in it as printable() shows it: for templates, whose result is no JSON.
Json printable_texts(const Json& value);
// A line to standard error.
void note(std::string_view line);
// Several, of the daemon's: they may have names in them that a guest has chosen, and are escaped.
void note_lines(std::string_view lines);

// Rows under each other, three spaces between columns. Control characters are escaped.
std::string columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace sbx::cli
