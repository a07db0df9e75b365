// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>

namespace sbx {

// What format() ends in: the only place where the formatting library itself is compiled. As headers in every file it
// would cost seconds each, and our static programs cannot use the shared one.
std::string format_arguments(fmt::string_view text, fmt::format_args arguments);

// As fmt::format, with the format checked at compile time.
template <class... Args>
std::string format(fmt::format_string<Args...> text, Args&&... args) {
  return format_arguments(text, fmt::make_format_args(args...));
}

}  // namespace sbx
