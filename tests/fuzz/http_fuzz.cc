// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "http/message.h"

// A client's head. What is accepted has no way to mean two things: rendered and parsed again it is the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto length = http::head_length(bytes);
  if (!length || !*length) return 0;
  if (**length > size) std::abort();
  const std::string_view head = bytes.substr(0, **length);
  (void)http::parse_response_head(head);
  const auto request = http::parse_request_head(head);
  if (!request) return 0;
  if (request->path.empty() || request->path.front() != '/') std::abort();
  for (const auto& [name, value] : request->headers)
    if (name.empty() || value.find_first_of("\r\n") != std::string::npos) std::abort();
  (void)http::body_length(request->headers);
  return 0;
}
