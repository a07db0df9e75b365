// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::wire {

// What a request is recognised by when it is made again. The client makes a key for each thing that it wants to happen
// once, sends it in the header Idempotency-Key, and sends the same key when it asks again because no answer came.
class RequestKey {
 public:
  static constexpr std::string_view kHeader = "Idempotency-Key";
  static constexpr std::size_t kLongest = 64;

  static RequestKey random();                              // 128 bits
  static Result<RequestKey> parse(std::string_view text);  // 1 to 64 letters, digits, - and _

  const std::string& text() const { return text_; }

 private:
  explicit RequestKey(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace sbx::wire
