// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "exchange/exec_stream.h"
#include "sandboxes/credentials.h"
#include "sandboxes/lifecycle.h"
#include "sandboxes/registry.h"
#include "sandboxes/runs.h"
#include "sandboxes/shim.h"
#include "wire/exec.h"
#include "wire/request_key.h"

namespace sbx::sandboxes {

// Hands execs to shims. Starts the sandbox if it is stopped. What was started by a key is not started again, whichever
// daemon or shim has died: see ShimSocket.
class Execs {
 public:
  Execs(const Registry& registry, Lifecycle& lifecycle, Credentials& credentials, Runs& runs)
      : registry_(registry), lifecycle_(lifecycle), credentials_(credentials), runs_(runs) {}

  // On success the client's connection belongs to the shim: close ours.
  Result<> exec(const std::string& name, wire::ExecRequest request, const Fd& client,
                const wire::RequestKey& key = wire::RequestKey::random());
  // The same with the daemon itself as the client: for what it does in a sandbox on a user's behalf.
  Result<exchange::ExecStream> open(const std::string& name, wire::ExecRequest request);
  // For a caller that holds the sandbox's operation(), and may be the only one to have execs (copying()). It must run.
  Result<exchange::ExecStream> open_held(const Sandbox& sandbox, const wire::ExecRequest& request) const;
  Result<wire::DetachedStart> exec_detached(const std::string& name, wire::ExecRequest request,
                                            const wire::RequestKey& key = wire::RequestKey::random());

  // A program whose standard input and output are this connection, as they are; it is the shim's on success.
  Result<> pipe(const std::string& name, wire::ExecRequest request, const Fd& client);

  // Hands over a client of docker.sock: from then on it talks to the Docker daemon in the guest.
  Result<> connect_to_docker(const std::string& name, const Fd& client);

 private:
  void complete(const Sandbox& sandbox, wire::ExecRequest& request);
  Result<> place(const Sandbox& sandbox, const PreparedCredentials::File& file) const;
  Result<> hand_over(const std::string& name, std::string_view what,
                     const std::function<Result<>(const ShimSocket&)>& use);
  Result<> on_shim(const std::string& name, const std::function<Result<>(const ShimSocket&)>& use);

  const Registry& registry_;
  Lifecycle& lifecycle_;
  Credentials& credentials_;
  Runs& runs_;
};

}  // namespace sbx::sandboxes
