// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/value.h"
#include "cli/client/client.h"
#include "wire/sandbox.h"

namespace sbx::cli {

using wire::Step;
using OnStep = std::function<void(const Step& step)>;

// What takes the events of long work: its steps, and then its result or its error.
Client::OnEvent steps_and_result(OnStep on_step, std::function<Result<>(const Json& result)> on_result);

template <Described T>
Client::OnEvent steps_and_value(OnStep on_step, T& value) {
  return steps_and_result(std::move(on_step), [&value](const Json& result) -> Result<> {
    TRY_ASSIGN(value, value_of<T>(result, "the daemon's answer", Unknown::kIgnored));
    return Ok{};
  });
}

}  // namespace sbx::cli
