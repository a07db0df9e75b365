// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/link_watch.h"

#include "wire/session.h"

namespace sbx::cli {

std::vector<std::string> LinkWatch::feed(std::string_view bytes) {
  std::vector<std::string> found;
  scanner_.feed(bytes);
  while (const auto piece = scanner_.next()) {
    std::string_view text = piece->bytes;
    if (!piece->is_sequence || !text.starts_with("\033]")) continue;
    text.remove_prefix(2);
    if (!text.starts_with(wire::kOpenLink)) continue;
    text.remove_prefix(wire::kOpenLink.size());
    text.remove_suffix(text.ends_with("\033\\") ? 2 : 1);
    found.emplace_back(text);
  }
  return found;
}

}  // namespace sbx::cli
