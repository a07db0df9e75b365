// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/child.h"
#include "base/fd.h"
#include "base/result.h"
#include "sandboxes/control_socket.h"
#include "wire/exec.h"
#include "wire/request_key.h"
#include "wire/shim_control.h"

namespace sbx::sandboxes {

// The process that runs a machine: ours or an earlier daemon's. Shared by all threads that wait for its end.
struct ShimProcess {
  pid_t pid = 0;
  Fd pidfd;

  bool wait_for_end(std::chrono::milliseconds limit) const;  // false: it is still there
  void kill() const;                                         // SIGKILL; no harm if it is gone
  bool kill_and_wait() const;                                // false: it is still there ten seconds later
  // How it ended, once it has. Reaps it if it is our child; nothing if it is not.
  std::optional<Exit> reap() const;
};

// The shim's control socket, spoken as in ARCHITECTURE.md, "The shim's life". A connection per call; errors are those
// of ControlSocket.
class ShimSocket {
 public:
  explicit ShimSocket(std::string path) : socket_(std::move(path)) {}

  Result<wire::ShimStatus> status(std::chrono::milliseconds limit) const;
  // On success the client is the shim's. What was started by the same key before is not started again: kConflict, or
  // for a detached one the answer that it got then.
  Result<> exec(const wire::RequestKey& key, const wire::ExecRequest& request, const Fd& client) const;
  Result<wire::DetachedStart> exec_detached(const wire::RequestKey& key, const wire::ExecRequest& request) const;
  // Those of a shim that lists them among its features.
  Result<wire::SessionList> sessions() const;
  Result<> attach(wire::SessionNumber session, const wire::AttachRequest& request, const Fd& client) const;
  Result<wire::SessionInfo> end_session(wire::SessionNumber session) const;  // when it has ended
  Result<> connect_to_docker(const Fd& client) const;
  Result<> pipe(const wire::ExecRequest& request, const Fd& client) const;
  Result<> connect_to_mcp(const wire::McpWanted& wanted, const Fd& server) const;
  // When it has answered, no program of the guest's speaks with the server any more.
  Result<> revoke_mcp(const std::string& server) const;
  Result<Fd> ask_to_stop(std::chrono::milliseconds grace) const;  // the answer comes on the connection
  Result<Fd> watch() const;

 private:
  ControlSocket socket_;
};

}  // namespace sbx::sandboxes
