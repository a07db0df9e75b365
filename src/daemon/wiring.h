// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "api/server.h"
#include "api/services.h"
#include "base/home.h"
#include "base/result.h"
#include "builds/builder.h"
#include "images/templates.h"
#include "sandboxes/sandboxes.h"
#include "secrets/daemon_environment.h"

namespace sbx::daemon {

// Everything that the daemon is made of, in the order in which it is made.
class Wiring {
 public:
  // Recovers, then serves. `shut_down` is called by POST /shutdown.
  static Result<std::unique_ptr<Wiring>> create(const Home& home, secrets::EnvironmentSecrets environment,
                                                std::function<void()> shut_down);

  // False: requests are still being worked on; the process must end without destroying this.
  bool stop();

 private:
  Wiring(const Home& home, const std::string& layer_program, images::KeepBlob keep)
      : templates_(home.templates(), layer_program, std::move(keep)) {}

  images::Templates templates_;
  std::unique_ptr<sandboxes::Sandboxes> sandboxes_;
  std::unique_ptr<builds::Builder> builder_;
  std::unique_ptr<api::Services> services_;
  std::unique_ptr<api::Server> server_;
};

}  // namespace sbx::daemon
