// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/fields.h"

namespace sbx::vault {

// The head of a request to a bound host, as the shim tells it to the vault. It has no place for what says where the
// request goes or where it ends: the vault writes Host, Content-Length, Transfer-Encoding and Connection itself, so a
// shim that was taken over cannot smuggle a request, nor send a credential to another host of the same server.
struct BoundRequest {
  std::string method;
  std::string target;  // /a?b, or *
  http::Headers fields;
  std::optional<std::uint64_t> length;  // of the body
  bool chunked = false;                 // its body ends when the shim says so
  bool websocket = false;               // after it the connection carries bytes, and no other request
};

std::string encode(const BoundRequest& request);
// Of a shim that is not trusted: what is not plain HTTP is refused, and so are fields that are the vault's to write.
Result<BoundRequest> decode_request(std::string_view bytes);

// As a server gets it.
std::string write(const BoundRequest& request, std::string_view host);

}  // namespace sbx::vault
