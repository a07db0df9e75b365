// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "api/routes.h"

namespace sbx::api {

using OnProgress = std::function<void(std::string_view step, std::int64_t done, std::int64_t total)>;
using LongWork = std::function<Result<http::Response>(const OnProgress& progress)>;

// Answers with what the work answers. A client that accepts text/event-stream gets it as an event, "result" or "error",
// after any number of events "progress" (wire::Step). One that has gone does not stop the work: what it asked for is
// made, and found by the next request.
Result<Answer> with_progress(Call& call, const LongWork& work);

}  // namespace sbx::api
