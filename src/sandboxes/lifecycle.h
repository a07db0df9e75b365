// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "sandboxes/backend_table.h"
#include "sandboxes/credentials.h"
#include "sandboxes/events.h"
#include "sandboxes/machines.h"
#include "sandboxes/networks.h"
#include "sandboxes/parts.h"
#include "sandboxes/registry.h"
#include "sandboxes/runs.h"
#include "wire/sandbox.h"

namespace sbx::sandboxes {

inline constexpr std::chrono::milliseconds kDefaultGrace{2000};

// Starts and stops sandboxes.
class Lifecycle {
 public:
  Lifecycle(const Parts& parts, const Registry& registry, BackendTable& backends, const Machines& machines,
            const Networks& networks, Credentials& credentials, Runs& runs, Events& events)
      : parts_(parts),
        registry_(registry),
        backends_(backends),
        machines_(machines),
        networks_(networks),
        credentials_(credentials),
        runs_(runs),
        events_(events) {}

  Result<wire::SandboxInfo> start(const std::string& name);  // nothing happens if it runs
  Result<wire::SandboxInfo> stop(const std::string& name, std::chrono::milliseconds grace = kDefaultGrace);

  // For what needs it to run: starts it if it does not. It counts as a use.
  Result<> ensure_running(Sandbox& sandbox);
  Result<> start_held(Sandbox& sandbox);
  // Also of one that is not usable. Leftovers of its machine go, too.
  Result<> stop_held(Sandbox& sandbox, std::chrono::milliseconds grace);

 private:
  struct Start;

  Result<Start> checked_start(const Sandbox& sandbox);
  Result<> run_machine(Sandbox& sandbox, const Start& start);

  const Parts& parts_;
  const Registry& registry_;
  BackendTable& backends_;
  const Machines& machines_;
  const Networks& networks_;
  Credentials& credentials_;
  Runs& runs_;
  Events& events_;
};

}  // namespace sbx::sandboxes
