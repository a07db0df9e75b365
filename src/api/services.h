// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "builds/builder.h"
#include "sandboxes/sandboxes.h"

namespace sbx::api {

// What handlers act on. Lives as long as the server.
struct Services {
  sandboxes::Sandboxes& sandboxes;
  std::string user_home;
  std::string started_at;           // RFC 3339
  std::function<void()> shut_down;  // asks the daemon to exit; returns at once
  builds::Builder* builder = nullptr;
};

}  // namespace sbx::api
