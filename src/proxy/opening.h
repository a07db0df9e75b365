// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sbx::proxy {

enum class Opening { kUnclear, kTls, kHttp, kOther };

// What a client speaks, by its first bytes. Whatever a lenient server might take for HTTP is HTTP (and is then read
// strictly): a first line that ends in a version of it, in any case, after blank lines too.
Opening opening_of(std::string_view bytes);

}  // namespace sbx::proxy
