// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "sandboxes/backend_table.h"
#include "sandboxes/docker_sockets.h"
#include "sandboxes/networks.h"
#include "sandboxes/policies.h"
#include "sandboxes/sandbox.h"
#include "store/store.h"
#include "wire/sandbox.h"

namespace sbx::sandboxes {

// Makes a sandbox that is there what a request asks for (CreateRequest::reuse).
class Adaptation {
 public:
  Adaptation(const store::Store& store, BackendTable& backends, const Policies& policies, Networks& networks,
             DockerSockets& docker_sockets)
      : store_(store), backends_(backends), policies_(policies), networks_(networks), docker_sockets_(docker_sockets) {}

  // The network policy, ports, hosts, labels, --ttl and --idle-stop are changed at once, limits of one that is stopped
  // for its next start.
  // The rest has to be as it is asked for: kConflict names all that differs, and nothing is changed. `asked` is a
  // checked_request().
  Result<> adapt_held(Sandbox& sandbox, const wire::CreateRequest& asked);

 private:
  Result<wire::Limits> granted(const store::Record& record, const wire::Limits& asked) const;

  const store::Store& store_;
  BackendTable& backends_;
  const Policies& policies_;
  Networks& networks_;
  DockerSockets& docker_sockets_;
};

}  // namespace sbx::sandboxes
