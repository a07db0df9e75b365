// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/network_config.h"

namespace sbx::wire {

void describe(Members& members, BlobCache& cache) {
  members.required("directory", cache.directory);
  members.required("bytes", cache.bytes);
  members.check(cache.bytes >= 0, "\"bytes\" is negative");
}

void describe(Members& members, NetworkConfig& config) {
  members.required("rules", config.rules);
  members.optional("hosts", config.hosts);
  members.optional("ports", config.ports);
  members.required("ca_certificate", config.ca_certificate);
  members.optional("blob_cache", config.blob_cache);
}

}  // namespace sbx::wire
