// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http2_codec.h"

#include "base/text.h"

namespace sbx::proxy {
namespace {

std::optional<std::size_t> length_in(std::string_view text) {
  const auto bytes = parse_integer(text);
  if (!bytes || *bytes < 0) return std::nullopt;
  return static_cast<std::size_t>(*bytes);
}

void add_length(http::Headers& fields, const std::optional<std::size_t>& length) {
  if (length) fields.emplace_back("content-length", std::to_string(*length));
}

}  // namespace

http::RequestHead read_request(http::Headers fields) {
  http::RequestHead head;
  std::optional<std::string> host;
  for (auto& [name, value] : fields) {
    if (name == ":method")
      head.method = std::move(value);
    else if (name == ":scheme")
      head.scheme = std::move(value);
    else if (name == ":authority")
      head.authority = std::move(value);
    else if (name == ":path")
      head.path = std::move(value);
    else if (name == "host")
      host = std::move(value);
    else if (name == "content-length")
      head.length = length_in(value);
    else if (name == "te")
      head.takes_trailers = true;  // it can say nothing else
    else
      head.fields.emplace_back(std::move(name), std::move(value));
  }
  (head.authority ? head.second_authority : head.authority) = std::move(host);
  return head;
}

http::Headers write(http::RequestHead head) {
  http::Headers fields;
  fields.reserve(head.fields.size() + 6);
  fields.emplace_back(":method", std::move(head.method));
  fields.emplace_back(":scheme", std::move(head.scheme));
  if (head.authority) fields.emplace_back(":authority", std::move(*head.authority));
  fields.emplace_back(":path", std::move(head.path));
  for (auto& field : head.fields) fields.push_back(std::move(field));
  add_length(fields, head.length);
  if (head.takes_trailers) fields.emplace_back("te", "trailers");
  return fields;
}

http::ResponseHead read_response(http::Headers fields) {
  http::ResponseHead head;
  for (auto& [name, value] : fields) {
    if (name == ":status")
      head.status = static_cast<int>(parse_integer(value).value_or(0));
    else if (name == "content-length")
      head.length = length_in(value);
    else
      head.fields.emplace_back(std::move(name), std::move(value));
  }
  return head;
}

http::Headers write(http::ResponseHead head) {
  http::Headers fields;
  fields.reserve(head.fields.size() + 2);
  fields.emplace_back(":status", std::to_string(head.status));
  for (auto& field : head.fields) fields.push_back(std::move(field));
  add_length(fields, head.length);
  return fields;
}

}  // namespace sbx::proxy
