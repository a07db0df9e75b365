// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sbx::cli {

struct StreamEvent {
  std::string name;  // "message" when the stream does not say
  std::string data;
};

// Server-sent events (the WHATWG HTML standard, 9.2.6), from bytes that come in pieces of any size.
class EventStream {
 public:
  void feed(std::string_view bytes) { buffer_ += bytes; }
  std::optional<StreamEvent> next();

 private:
  void take_line(std::string_view line);

  std::string buffer_;
  StreamEvent pending_;
  bool has_data_ = false;
};

}  // namespace sbx::cli
