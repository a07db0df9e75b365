// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/event_stream.h"

#include <utility>

namespace sbx::cli {

void EventStream::take_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "event") pending_.name = value;
  if (field != "data") return;  // comments (an empty field) keep the connection alive; ids and retries are not for us
  if (has_data_) pending_.data += '\n';
  pending_.data += value;
  has_data_ = true;
}

std::optional<StreamEvent> EventStream::next() {
  for (;;) {
    const std::size_t end = buffer_.find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) {
      take_line(line);
      continue;
    }
    StreamEvent event = std::exchange(pending_, {});
    if (!std::exchange(has_data_, false)) continue;
    if (event.name.empty()) event.name = "message";
    return event;
  }
}

}  // namespace sbx::cli
