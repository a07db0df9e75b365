// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "backends/backend.h"
#include "base/result.h"
#include "sandboxes/shim.h"
#include "wire/guest.h"
#include "wire/network.h"

namespace sbx::sandboxes {

struct Launch {
  std::string program;  // sandbox-shim
  backends::MachineSpec machine;
  wire::GuestConfig guest;
  wire::NetworkConfig network;
};

struct Launched {
  std::shared_ptr<const Shim> shim;
  ShimStatus status;
};

// Starts a shim in the machine's state directory and waits until it serves. On failure no shim is left, but what it
// began may be: Backend::clean_up is the caller's. The error is the shim's own, or tells how it ended and where its log
// is.
Result<Launched> launch(const Launch& what, std::chrono::milliseconds limit);

}  // namespace sbx::sandboxes
