// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/daemon_environment.h"

#include <sodium.h>

#include <cstdlib>
#include <cstring>

#include "secrets/services.h"

namespace sbx::secrets {

EnvironmentSecrets take_environment_secrets() {
  EnvironmentSecrets taken;
  for (const Service& service : services())
    for (const std::string& variable : service.host_variables) {
      char* value = std::getenv(variable.c_str());
      if (value == nullptr) continue;
      const std::size_t size = std::strlen(value);
      if (size != 0) taken[variable] = std::make_shared<const Secret>(Secret::copy_of({value, size}));
      ::sodium_memzero(value, size);
      ::unsetenv(variable.c_str());
    }
  return taken;
}

}  // namespace sbx::secrets
