// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "http/message.h"
#include "wire/request_key.h"

namespace sbx::api {

// The key that the client gave its request. One that has none is like no other, and gets a random one.
Result<wire::RequestKey> request_key(const http::Request& request);

}  // namespace sbx::api
