// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandboxes/backend_table.h"
#include "sandboxes/docker_sockets.h"
#include "sandboxes/events.h"
#include "sandboxes/lifecycle.h"
#include "sandboxes/machines.h"
#include "sandboxes/registry.h"
#include "store/store.h"

namespace sbx::sandboxes {

// Removes sandboxes.
class Removal {
 public:
  Removal(const store::Store& store, Registry& registry, const BackendTable& backends, const Machines& machines,
          Lifecycle& lifecycle, DockerSockets& docker_sockets, Events& events)
      : store_(store),
        registry_(registry),
        backends_(backends),
        machines_(machines),
        lifecycle_(lifecycle),
        docker_sockets_(docker_sockets),
        events_(events) {}

  // Stops it first. Also of one that is half made, half removed or Failed.
  Result<> remove(const std::string& name);
  Result<> remove_stopped(const std::string& name);  // kConflict if it runs or is being made
  Result<std::vector<std::string>> reset();          // the names of what is gone; the first error after all were tried

  // All that a sandbox without a machine has on the disk, the record last.
  Result<> destroy(const store::Record& record) const;

 private:
  Result<> remove_or_fail_held(const std::shared_ptr<Sandbox>& sandbox);
  Result<> remove_held(const std::shared_ptr<Sandbox>& sandbox);
  Result<> mark_removing(Sandbox& sandbox);

  const store::Store& store_;
  Registry& registry_;
  const BackendTable& backends_;
  const Machines& machines_;
  Lifecycle& lifecycle_;
  DockerSockets& docker_sockets_;
  Events& events_;
};

}  // namespace sbx::sandboxes
