// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "http/fields.h"

// What a message says before its body, in any version of HTTP. A codec of one version makes it of bytes and bytes of
// it; what is between decides on it and knows no version.
namespace sbx::http {

struct RequestHead {
  std::string method;
  std::string scheme;                           // http or https; empty: it does not say
  std::optional<std::string> authority;         // Host or :authority, as sent
  std::optional<std::string> second_authority;  // in an absolute URI, or of `host` beside :authority
  std::string path;                             // as in a first line: /a?b, or *
  std::optional<std::size_t> length;            // of the body, where it says so
  bool takes_trailers = false;                  // TE: trailers
  bool wants_websocket = false;
  Headers fields;  // the others, in their order: none that says where the message ends or goes
};

struct ResponseHead {
  int status = 0;
  std::optional<std::size_t> length;
  Headers fields;  // as above
};

}  // namespace sbx::http
