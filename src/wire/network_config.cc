// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/network_config.h"

namespace sbx::wire {

void describe(Members& members, NetworkConfig& config) {
  members.required("rules", config.rules);
  members.optional("hosts", config.hosts);
  members.optional("ports", config.ports);
  members.required("ca_certificate", config.ca_certificate);
}

}  // namespace sbx::wire
