// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "secrets/contents.h"
#include "secrets/daemon_environment.h"
#include "secrets/services.h"

namespace sbx::secrets {

// A secret that a sandbox gets, and why.
struct Selected {
  const Service* service = nullptr;      // null: a binding of the user's own hosts and header
  std::optional<wire::Binding> binding;  // by which it has it; nothing: by the secret's name, or the variable's
  std::string secret;                    // its name in the store; empty: it is of the daemon's environment
  std::string variable;                  // in which the daemon has it
  std::shared_ptr<const Secret> value;

  std::string name() const { return service != nullptr ? service->name : secret; }
  std::string source() const;  // for people
};

// All that one sandbox gets, those that come first having the say where two mean the same field of a host. Of each
// service one: bound to the sandbox, bound to all, by the secret's name, by a variable of the daemon's.
std::vector<Selected> select_secrets(const Contents& contents, const EnvironmentSecrets& environment,
                                     const std::string& sandbox_id);

}  // namespace sbx::secrets
