// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/sessions.h"

#include "base/format.h"

namespace sbx::sandboxes {

Result<ShimSocket> Sessions::shim_of(const std::string& name) const {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const auto running = sandbox->running();
  if (!running)
    return fail(Code::kNotFound, sbx::format("sandbox {} does not run, and has no sessions", name),
                "sandbox run " + name);
  if (!running->status.has(wire::kSessionsFeature))
    return fail(Code::kUnsupported,
                sbx::format("sandbox {} was started by an older version of sandboxd, which has no sessions: "
                            "restart the sandbox to use sessions",
                            name),
                sbx::format("sandbox stop {0} && sandbox start {0}", name));
  return sandbox->directory().shim();
}

Result<wire::SessionList> Sessions::list(const std::string& name) const {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  if (!sandbox->running()) return wire::SessionList();
  TRY_ASSIGN(const ShimSocket shim, shim_of(name));
  auto list = shim.sessions();
  if (!list && list.error().code() == Code::kUnavailable) return wire::SessionList();  // it has just ended
  return list;
}

Result<> Sessions::attach(const std::string& name, wire::SessionNumber session, const wire::AttachRequest& request,
                          const Fd& client) const {
  TRY_ASSIGN(const ShimSocket shim, shim_of(name));
  return shim.attach(session, request, client);
}

Result<wire::SessionInfo> Sessions::end(const std::string& name, wire::SessionNumber session) const {
  TRY_ASSIGN(const ShimSocket shim, shim_of(name));
  auto ended = shim.end_session(session);
  if (!ended && ended.error().code() == Code::kTimeout)
    return fail(Code::kTimeout,
                sbx::format("session {} of {} was told to end and killed, and is still there", session, name));
  return ended;
}

}  // namespace sbx::sandboxes
