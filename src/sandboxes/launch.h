// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "backends/shim_input.h"
#include "base/result.h"
#include "sandboxes/shim.h"
#include "wire/shim_control.h"

namespace sbx::sandboxes {

struct Launched {
  std::shared_ptr<const ShimProcess> shim;
  wire::ShimStatus status;
};

// Starts a shim in the machine's state directory and waits until it serves. On failure no shim is left, but what it
// began may be: Backend::clean_up is the caller's. The error is the shim's own, or tells how it ended and where its log
// is.
Result<Launched> launch(const std::string& program, const backends::ShimInput& input, std::chrono::milliseconds limit);

}  // namespace sbx::sandboxes
