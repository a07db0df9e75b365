// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "sandboxes/registry.h"
#include "sandboxes/shim.h"
#include "wire/session.h"

namespace sbx::sandboxes {

// The sessions of sandboxes that run: their shims have them, and this only asks. Nothing here starts a sandbox.
//   kNotFound     no such sandbox or session, or the sandbox does not run
//   kUnsupported  it was started by an older version, whose shim has no sessions
class Sessions {
 public:
  explicit Sessions(const Registry& registry) : registry_(registry) {}

  // None if it does not run.
  Result<wire::SessionList> list(const std::string& name) const;
  // On success the client's connection belongs to the shim: close ours.
  Result<> attach(const std::string& name, wire::SessionNumber session, const wire::AttachRequest& request,
                  const Fd& client) const;
  // Ends it, and tells how it was then; one that has ended is told of, too.
  Result<wire::SessionInfo> end(const std::string& name, wire::SessionNumber session) const;

 private:
  Result<ShimSocket> shim_of(const std::string& name) const;

  const Registry& registry_;
};

}  // namespace sbx::sandboxes
