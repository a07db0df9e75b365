// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "base/json_fwd.h"

namespace sbx::wire {

// {"error":{"code","message","hint"}}
Error decode_error(const Json& json, int http_status);
Json encode(const Error& error);
int http_status(Code code);

}  // namespace sbx::wire
