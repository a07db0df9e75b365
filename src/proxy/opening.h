// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sbx::proxy {

enum class Opening {
  kUnclear,
  kTls,
  kHttp,
  kHttp2,  // in the clear, by a client that knows that the server speaks it; its preface may not be there whole
  kOther,
};

inline constexpr std::string_view kHttp2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// What a client speaks, by its first bytes. Whatever a lenient server might take for HTTP is HTTP (and is then read
// strictly): a first line that ends in a version of it, in any case, after blank lines too.
Opening opening_of(std::string_view bytes);

}  // namespace sbx::proxy
