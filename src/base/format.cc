// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#define FMT_HEADER_ONLY
#include "base/format.h"

#include <fmt/format.h>

namespace sbx {

std::string format_arguments(fmt::string_view text, fmt::format_args arguments) {
  return fmt::vformat(text, arguments);
}

}  // namespace sbx
