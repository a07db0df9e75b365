// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "sandboxes/backend_table.h"
#include "sandboxes/credentials.h"
#include "sandboxes/docker_sockets.h"
#include "sandboxes/machines.h"
#include "sandboxes/parts.h"
#include "sandboxes/policies.h"
#include "sandboxes/registry.h"
#include "sandboxes/removal.h"
#include "sandboxes/runs.h"

namespace sbx::sandboxes {

// Takes up what an earlier daemon left.
class Recovery {
 public:
  Recovery(const Parts& parts, Registry& registry, const BackendTable& backends, const Machines& machines,
           const Policies& policies, Credentials& credentials, Runs& runs, DockerSockets& docker_sockets,
           Removal& removal)
      : parts_(parts),
        registry_(registry),
        backends_(backends),
        machines_(machines),
        policies_(policies),
        credentials_(credentials),
        runs_(runs),
        docker_sockets_(docker_sockets),
        removal_(removal) {}

  // Once, before anything else. Running sandboxes are found by their shims; half-made and half-removed ones go; the
  // leftovers of dead machines are cleaned up.
  Result<> recover();

 private:
  void recover_one(const std::string& name, Result<store::Record> record);
  void recover_garbled(const std::string& name, const Error& error);
  void recover_ready(store::Record record);

  const Parts& parts_;
  Registry& registry_;
  const BackendTable& backends_;
  const Machines& machines_;
  const Policies& policies_;
  Credentials& credentials_;
  Runs& runs_;
  DockerSockets& docker_sockets_;
  Removal& removal_;
};

}  // namespace sbx::sandboxes
