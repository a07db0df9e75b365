// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/members.h"

namespace sbx::wire {

// GET /version.
struct Version {
  std::string version;
  std::string commit;
  std::int64_t pid = 0;
  std::string started_at;  // RFC 3339
};
void describe(Members& members, Version& version);

// GET /system/df: bytes on the disk of what is in the home.
struct SandboxUsage {
  std::string name;
  std::int64_t bytes = 0;
};
void describe(Members& members, SandboxUsage& usage);

struct TemplateUsage {
  std::string digest;
  std::vector<std::string> names;
  std::int64_t bytes = 0;  // of its layers, those that it shares included
  bool in_use = false;     // a sandbox stands on it
};
void describe(Members& members, TemplateUsage& usage);

struct DiskUsage {
  std::string home;
  std::vector<SandboxUsage> sandboxes;
  std::vector<TemplateUsage> templates;
  std::int64_t templates_bytes = 0;     // of all, each layer once
  std::int64_t docker_cache_bytes = 0;  // blobs of registries
  std::int64_t cache_bytes = 0;         // what backends keep for all machines
};
void describe(Members& members, DiskUsage& usage);

// POST /system/prune: what is free now.
struct SystemPruned {
  std::int64_t docker_cache_bytes = 0;
};
void describe(Members& members, SystemPruned& pruned);

// POST /reset: which sandboxes are gone.
struct Reset {
  std::vector<std::string> removed;
};
void describe(Members& members, Reset& reset);

}  // namespace sbx::wire
