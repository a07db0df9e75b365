// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/members.h"
#include "wire/network.h"

namespace sbx::wire {

// Where blobs of registries are kept for all sandboxes.
struct BlobCache {
  std::string directory;   // empty: they are not
  std::int64_t bytes = 0;  // at most
};
void describe(Members& members, BlobCache& cache);

// The network of one sandbox, as the daemon tells it to the shim. SECURITY: the authority's key is not in it. The shim
// reads that from its state directory when the processes that it forks are forked, so that none of them has it.
struct NetworkConfig {
  Json rules = Json::object();  // policy::encode(Rules)
  std::vector<StaticHost> hosts;
  std::vector<PublishedPort> ports;
  std::string ca_certificate;  // PEM
  BlobCache blob_cache;
};
void describe(Members& members, NetworkConfig& config);

}  // namespace sbx::wire
