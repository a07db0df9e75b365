// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/home.h"
#include "sandboxes/gate.h"
#include "sandboxes/shim.h"
#include "sandboxes/vault.h"

namespace sbx::sandboxes {

// vm/<name>/ of a home: the files of one sandbox that more than one class knows, and the sockets of its processes.
// ARCHITECTURE.md, "State on disk", has them all.
class StateDirectory {
 public:
  StateDirectory(const Home& home, const std::string& name) : path_(home.machine(name)) {}

  const std::string& path() const { return path_; }
  std::string machine_file() const { return path_ + "/machine.json"; }
  std::string policy_file() const { return path_ + "/proxy-config.json"; }
  std::string authority() const { return path_ + "/proxy_cacerts"; }
  std::string certificate_file() const { return authority() + "/proxy-ca.crt"; }
  std::string shim_socket() const { return path_ + "/shim.sock"; }
  std::string docker_socket() const { return path_ + "/docker.sock"; }
  std::string gate_socket() const { return path_ + "/network.sock"; }
  std::string vault_socket() const { return path_ + "/vault.sock"; }
  std::string signer_socket() const { return path_ + "/signer.sock"; }

  ShimSocket shim() const { return ShimSocket(shim_socket()); }
  GateSocket gate() const { return GateSocket(gate_socket()); }
  VaultSocket vault() const { return VaultSocket(vault_socket()); }

 private:
  std::string path_;
};

}  // namespace sbx::sandboxes
