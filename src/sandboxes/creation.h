// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "images/templates.h"
#include "sandboxes/backend_table.h"
#include "sandboxes/events.h"
#include "sandboxes/machines.h"
#include "sandboxes/parts.h"
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
           const Removal& removal, Events& events)
      : parts_(parts),
        registry_(registry),
        backends_(backends),
        machines_(machines),
        removal_(removal),
        events_(events) {}

  // A new, stopped sandbox, or with `reuse` the one that is there (info.created tells). Builds the template if need be.
  // A client may make the request again with the same key, because it does not know what became of the first one: by a
  // key that made a sandbox before it is that one, as if it had just been made; kConflict if it was another request.
  Result<wire::SandboxInfo> create(const wire::CreateRequest& request, const images::Progress& progress,
                                   const wire::RequestKey& key = wire::RequestKey::random());

 private:
  Result<std::shared_ptr<const backends::Backend>> backend_for(const Plan& plan);
  // The one line that the user should read about it; usually empty.
  Result<std::string> build_held(Sandbox& sandbox, const Plan& plan, const images::Progress& progress);

  const Parts& parts_;
  Registry& registry_;
  BackendTable& backends_;
  const Machines& machines_;
  const Removal& removal_;
  Events& events_;
};

}  // namespace sbx::sandboxes
