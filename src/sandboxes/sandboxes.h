// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/result.h"
#include "sandboxes/adaptation.h"
#include "sandboxes/backend_table.h"
#include "sandboxes/catalog.h"
#include "sandboxes/creation.h"
#include "sandboxes/credentials.h"
#include "sandboxes/docker_sockets.h"
#include "sandboxes/events.h"
#include "sandboxes/execs.h"
#include "sandboxes/expiry.h"
#include "sandboxes/lifecycle.h"
#include "sandboxes/machines.h"
#include "sandboxes/mcp_grants.h"
#include "sandboxes/mcp_servers.h"
#include "sandboxes/networks.h"
#include "sandboxes/parts.h"
#include "sandboxes/policies.h"
#include "sandboxes/recovery.h"
#include "sandboxes/registry.h"
#include "sandboxes/removal.h"
#include "sandboxes/runs.h"
#include "sandboxes/saves.h"
#include "sandboxes/sessions.h"
#include "sandboxes/storage.h"
#include "sandboxes/successions.h"

namespace sbx::sandboxes {

// Everything that acts on the sandboxes of one home, in the order in which it is made: each may use those above it. A
// new class is new files, a member here and nothing else. It is destroyed by a daemon that ends; the sandboxes run on.
//
//   TRY_ASSIGN(const auto sandboxes, Sandboxes::create(parts));
//   TRY(sandboxes->recovery.recover());
//   TRY_ASSIGN(const auto info, sandboxes->lifecycle.start("box"));
//
// Any thread may call any of them. Operations on one sandbox happen one after the other, because each holds the
// sandbox's operation() for as long as it takes; a method whose name ends in _held is for a caller that holds it.
// Registry::list() and info() wait for none of them and talk to no shim.
//
// Each operation can be killed at any point: what the next daemon's recover() finds is then either finished or taken
// back. A workspace is never written to.
struct Sandboxes {
  static Result<std::unique_ptr<Sandboxes>> create(Parts parts);
  explicit Sandboxes(Parts given) : parts(std::move(given)) {}  // for create()

  const Parts parts;
  Events events;
  BackendTable backends{parts.backends, parts.backend_names};
  Registry registry{parts.store.home(), parts.privileged};
  Catalog catalog{parts, registry};
  Machines machines{parts, backends};
  Policies policies{registry, parts.agents};
  Networks networks{parts.store, registry, policies};
  Credentials credentials{parts, registry};
  Runs runs{parts.store, registry, machines, networks, events};
  Lifecycle lifecycle{parts, registry, backends, machines, networks, credentials, runs, events};
  Execs execs{registry, lifecycle, credentials, runs};
  DockerSockets docker_sockets{execs};
  McpServers mcp_servers{registry, execs, runs};
  McpGrants mcp_grants{parts.store, registry, policies};
  Removal removal{parts.store, registry, backends, machines, lifecycle, docker_sockets, events};
  Recovery recovery{parts, registry, backends, machines, policies, credentials, runs, docker_sockets, removal};
  Adaptation adaptation{parts.store, backends, policies, networks, docker_sockets};
  Creation creation{parts, registry, backends, machines, lifecycle, docker_sockets, removal, adaptation, events};
  Sessions sessions{registry};
  Saves saves{parts, registry, backends, machines, lifecycle, execs};
  Storage storage{parts, registry};
  Successions successions{parts, registry};
  Expiry expiry{parts, registry, lifecycle, removal, events};
};

}  // namespace sbx::sandboxes
