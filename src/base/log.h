// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "base/format.h"

namespace sbx {

enum class Level { kDebug, kInfo, kWarning, kError };

// One record a line on standard error: time, level, process, sentence. Control characters in it are escaped, because
// some of the text comes from the guest. Debug records appear only after set_debug_log(true).
void write_log(Level level, std::string_view sentence);
void set_debug_log(bool on);

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
