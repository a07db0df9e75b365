// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/format.h"

namespace sbx {

enum class Level { kDebug, kInfo, kWarning, kError };

// One record a line on standard error: time, level, process, sentence. Control characters in it are escaped, because
// some of the text comes from the guest. Debug records appear only after set_debug_log(true).
void write_log(Level level, std::string_view sentence);
void set_debug_log(bool on);

// For a program whose standard error is a file: when it would be larger than this it is cut to nothing and begun anew,
// because some of what is logged is provoked by a guest. Not a file (a terminal, the journal): nothing happens.
void bound_log(std::int64_t bytes);
// Cuts it now, if others have written too much to the same file.
void trim_log();

template <class... Args>
void log_debug(fmt::format_string<Args...> text, Args&&... args) {
  write_log(Level::kDebug, sbx::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_info(fmt::format_string<Args...> text, Args&&... args) {
  write_log(Level::kInfo, sbx::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_warning(fmt::format_string<Args...> text, Args&&... args) {
  write_log(Level::kWarning, sbx::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_error(fmt::format_string<Args...> text, Args&&... args) {
  write_log(Level::kError, sbx::format(text, std::forward<Args>(args)...));
}

}  // namespace sbx
