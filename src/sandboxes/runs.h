// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/child.h"
#include "base/mutex.h"
#include "base/result.h"
#include "sandboxes/events.h"
#include "sandboxes/launch.h"
#include "sandboxes/machines.h"
#include "sandboxes/networks.h"
#include "sandboxes/registry.h"
#include "sandboxes/watcher.h"
#include "sandboxes/worker.h"
#include "store/store.h"

namespace sbx::sandboxes {

// The shims that run: from when they are adopted to when their end is recorded.
class Runs {
 public:
  Runs(const store::Store& store, const Registry& registry, const Machines& machines, const Networks& networks,
       Events& events)
      : store_(store), registry_(registry), machines_(machines), networks_(networks), events_(events) {}

  // What happens when a program in a sandbox wants to speak with an MCP server, on the watcher's thread; {}: it is kept
  // until there is a handler. No call is under way when this returns.
  using OnMcp = std::function<void(const std::string& name, const wire::McpWanted& wanted)>;
  void on_mcp(OnMcp handler);
  // Once, before the first adopt_held().
  Result<> watch();
  // The sandbox runs on this shim from now on. On failure the shim is killed.
  Result<> adopt_held(Sandbox& sandbox, Launched launched);
  // Called by the watcher, and by an operation that has seen the end first: only the first call counts. What a machine
  // that ended by itself leaves is cleaned up later, on another thread.
  void end(const std::string& name, const std::shared_ptr<const ShimProcess>& shim, std::optional<Exit> exit = {});

 private:
  void tell(const std::string& name, const std::shared_ptr<const ShimProcess>& shim, const wire::Event& event);
  void tell_of_mcp(const std::string& name, const wire::Event& event);
  void clean_up_later(std::shared_ptr<Sandbox> sandbox);

  const store::Store& store_;
  const Registry& registry_;
  const Machines& machines_;
  const Networks& networks_;
  Events& events_;
  Mutex mutex_;
  OnMcp on_mcp_ SBX_GUARDED_BY(mutex_);
  std::vector<std::pair<std::string, wire::McpWanted>> early_mcp_ SBX_GUARDED_BY(mutex_);
  Worker worker_;                     // after all that its jobs use
  std::unique_ptr<Watcher> watcher_;  // last: its thread calls into all of the above
};

}  // namespace sbx::sandboxes
