// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "http/body.h"
#include "http/head.h"
#include "policy/target.h"

// Heads to and from HTTP/1.1. Pure. Where a message ends is this file's alone: nothing that decides on a head can
// change how the next reader finds the end of its body.
namespace sbx::proxy {

struct Http1Request {
  http::RequestHead head;
  bool chunked = false;
  bool is_1_0 = false;
  bool is_last = false;  // on its connection
};

// One whole head. A scheme is that of an absolute URI, and its path is then in origin form; a CONNECT's target is the
// path.
Result<Http1Request> read_request(std::string_view head);
// As a server gets it. What was for this hop only must be gone from its fields (hop_by_hop.cc).
std::string write(const Http1Request& request);

// Where a CONNECT goes, and where a request to a forward proxy does by its absolute URI.
Result<policy::Target> connect_target(const Http1Request& request);
Result<policy::Target> uri_target(const http::RequestHead& head);

struct Http1Response {
  http::ResponseHead head;
  std::string reason;
  http::BodyDecoder body;     // as it comes
  bool chunked = false;       // whether it leaves in chunks
  bool says_chunked = false;  // so does its head; to HEAD also if no body follows
  bool is_interim = false;    // another one follows
  bool client_stays = false;  // whether the client's connection can take another request
  bool server_stays = false;  // and the server's
};
Result<Http1Response> read_response(const Http1Request& request, std::string_view head);
std::string write(const Http1Response& response);

}  // namespace sbx::proxy
