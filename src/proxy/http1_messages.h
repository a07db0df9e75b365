// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "http/body.h"
#include "http/raw.h"
#include "policy/target.h"
#include "proxy/session.h"

// What happens to HTTP/1.1 messages on their way through. Pure.
namespace sbx::proxy {

// Where a request goes, by its first line and its Host.
struct Destination {
  policy::Target target;
  std::string authority;                     // Host as sent
  std::optional<std::string> uri_authority;  // of an absolute URI, as sent
  std::string path;                          // in origin form
};

// For a forward proxy (no origin): the absolute URI must say where. Otherwise it is the origin, and an absolute URI may
// say the same. Refused: https by absolute URI, users in it, no Host in HTTP/1.1, and whatever is no target.
Result<Destination> destination_of(const http::RawRequest& request, const std::optional<Origin>& origin);

// The target of a CONNECT.
Result<policy::Target> connect_target(const http::RawRequest& request);

bool wants_websocket(const http::RawRequest& request);

// As the server gets it: our own Host, framing and connection fields.
http::RawRequest to_server(const http::RawRequest& request, const Destination& destination, bool encrypted);

// How a response is to be passed on.
struct Passage {
  http::RawResponse head;     // as the client gets it
  http::BodyDecoder body;     // as it comes
  bool chunked = false;       // whether it leaves in chunks
  bool client_stays = false;  // whether the client's connection can take another request
  bool server_stays = false;  // and the server's
};
Result<Passage> passage_of(const http::RawRequest& request, const http::RawResponse& response);

}  // namespace sbx::proxy
