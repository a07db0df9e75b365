// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/head.h"

// Heads to and from the fields of HTTP/2. Pure. What is not well-formed has been refused before (nghttp2):
// pseudo-header fields are known ones, in front and not repeated, and there is none that is of HTTP/1.1's connections.
namespace sbx::proxy {

http::RequestHead read_request(http::Headers fields);
http::Headers write(http::RequestHead head);

http::ResponseHead read_response(http::Headers fields);
http::Headers write(http::ResponseHead head);

}  // namespace sbx::proxy
