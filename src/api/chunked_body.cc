// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/chunked_body.h"

#include "base/format.h"

namespace sbx::api {

Result<ChunkedBody> ChunkedBody::open(Connection& connection, http::Headers headers) {
  headers.emplace_back("Transfer-Encoding", "chunked");
  headers.emplace_back("Connection", "close");
  TRY(connection.send(http::render(http::Response{200, std::move(headers), ""})));
  return ChunkedBody(connection);
}

Result<> ChunkedBody::send(std::string_view bytes) {
  if (bytes.empty()) return Ok{};  // it would be the last
  return connection_->send(sbx::format("{:x}\r\n{}\r\n", bytes.size(), bytes));
}

void ChunkedBody::end() { (void)connection_->send("0\r\n\r\n"); }

}  // namespace sbx::api
