// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sandboxes/control_socket.h"
#include "wire/credential.h"

namespace sbx::sandboxes {

// The control socket of a running sandbox's vault, vm/<name>/vault.sock (docs/life-of-a-connection.md).
class VaultSocket {
 public:
  explicit VaultSocket(std::string path) : socket_(std::move(path)) {}

  // All of the sandbox's credentials, which replace those before. Returns when they hold: requests from then on get
  // these, and connections that used one that is gone are closed. A sandbox that has just started has none, so this
  // comes before its first exec. kUnavailable: it does not run, or has no network.
  Result<> set_credentials(const std::vector<wire::Credential>& credentials) const;

 private:
  ControlSocket socket_;
};

}  // namespace sbx::sandboxes
