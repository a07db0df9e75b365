// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

std::vector<std::string> split(std::string_view text, char separator);
// The same without copies, for text that is only looked through. cut_off: the first part; the others stay in `rest`,
// which is empty after the last. split_exactly: whether there are as many parts as there is room for.
std::string_view cut_off(std::string_view& rest, char separator);
bool split_exactly(std::string_view text, char separator, std::span<std::string_view> parts);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string join(const std::vector<std::string_view>& parts, std::string_view separator);
std::string_view trimmed(std::string_view text);

// What steers a display (utf8.h) as \xNN or \uNNNN, and bytes that are no UTF-8 as \xNN, so that text from a guest
// cannot drive the terminal that shows it, nor read there as something else than it is. All else is kept.
std::string printable(std::string_view text);

// The whole text as a number, or nothing.
std::optional<std::int64_t> parse_integer(std::string_view text);

// "512m", "8g", "1073741824", as docker: b, k, m, g, t, either case, optionally "ib" or "b" after it; powers of 1024.
std::optional<std::int64_t> parse_bytes(std::string_view text);
// As people write them: "1.4 GB", of powers of 1000, as docker shows sizes.
std::string bytes_text(std::int64_t bytes);

// "90s", "30m", "1h30m", "2d", as Go and docker write durations: in seconds.
std::optional<std::int64_t> parse_duration(std::string_view text);

}  // namespace sbx
