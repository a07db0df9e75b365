// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "images/templates.h"
#include "sandboxes/adaptation.h"
#include "sandboxes/backend_table.h"
#include "sandboxes/docker_sockets.h"
#include "sandboxes/events.h"
#include "sandboxes/lifecycle.h"
#include "sandboxes/machines.h"
#include "sandboxes/parts.h"
#include "sandboxes/pending_creates.h"
#include "sandboxes/plan.h"
#include "sandboxes/registry.h"
#include "sandboxes/removal.h"
#include "wire/request_key.h"
#include "wire/sandbox.h"

namespace sbx::sandboxes {

// Makes sandboxes.
class Creation {
 public:
  Creation(const Parts& parts, Registry& registry, BackendTable& backends, const Machines& machines,
           Lifecycle& lifecycle, DockerSockets& docker_sockets, const Removal& removal, Adaptation& adaptation,
           Events& events)
      : parts_(parts),
        registry_(registry),
        backends_(backends),
        machines_(machines),
        lifecycle_(lifecycle),
        docker_sockets_(docker_sockets),
        removal_(removal),
        adaptation_(adaptation),
        events_(events) {}

  // A new, stopped sandbox, or with `reuse` the one that is there (info.created tells), as it is asked for
  // (adaptation.h); with `start` it runs. Builds the template if need be. All of it is one operation on the sandbox.
  // A client may make the request again with the same key, because it does not know what became of the first one: by a
  // key that made a sandbox before it is that one, as if it had just been made; kConflict if it was another request.
  Result<wire::SandboxInfo> create(const wire::CreateRequest& request, const images::Progress& progress,
                                   const wire::RequestKey& key = wire::RequestKey::random());
  // One that is a means to something else: a daemon that finds it when it starts removes it.
  Result<> create_temporary(const wire::CreateRequest& request);
  // Undoes the create that was asked for by this key, and returns when nothing is left of it. kNotFound: none is under
  // way; one that found its sandbox there already, or is only started, is not undone.
  Result<> cancel(const wire::RequestKey& key);
  bool makes_templates() { return pending_.makes_templates(); }  // for creates that were cancelled

 private:
  Result<std::shared_ptr<const backends::Backend>> backend_for(const Plan& plan);
  std::string isolation_note_once(const Plan& plan, wire::Isolation isolation) const;
  // Each gives the line that the user should read about it; usually empty.
  Result<std::string> make_held(Sandbox& sandbox, const wire::CreateRequest& request, const images::Progress& progress,
                                PendingCreates::Create& pending, store::Phase phase = store::Phase::kReady);
  Result<std::string> build_held(Sandbox& sandbox, const Plan& plan, const images::Progress& progress,
                                 PendingCreates::Create& pending, store::Phase phase);
  Result<std::string> reuse_held(const Claim& claim, const wire::CreateRequest& request);

  const Parts& parts_;
  Registry& registry_;
  BackendTable& backends_;
  const Machines& machines_;
  Lifecycle& lifecycle_;
  DockerSockets& docker_sockets_;
  const Removal& removal_;
  Adaptation& adaptation_;
  Events& events_;
  PendingCreates pending_;
};

}  // namespace sbx::sandboxes
