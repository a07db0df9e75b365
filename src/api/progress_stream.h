// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "api/connection.h"
#include "api/routes.h"
#include "base/json.h"
#include "base/result.h"

namespace sbx::api {

// Whether the client wants to hear how far a long request is.
bool wants_events(const http::Request& request);

using OnProgress = std::function<void(std::string_view step, std::int64_t done, std::int64_t total)>;
using LongWork = std::function<Result<Json>(const OnProgress& progress)>;

// Does the work and answers with events: "progress" (wire::Step), several; then "result" or "error". A client that has
// gone does not stop the work: what it asked for is done, and found by the next request.
Result<Answer> answer_with_progress(Connection& connection, const LongWork& work);

}  // namespace sbx::api
