// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/system.h"

namespace sbx::wire {

void describe(Members& members, Version& version) {
  members.required("version", version.version);
  members.required("commit", version.commit);
  members.required("pid", version.pid);
  members.required("started_at", version.started_at);
}

void describe(Members& members, SandboxUsage& usage) {
  members.required("name", usage.name);
  members.required("bytes", usage.bytes);
}

void describe(Members& members, TemplateUsage& usage) {
  members.required("digest", usage.digest);
  members.optional("names", usage.names);
  members.required("bytes", usage.bytes);
  members.optional("in_use", usage.in_use);
}

void describe(Members& members, DiskUsage& usage) {
  members.optional("home", usage.home);
  members.required("sandboxes", usage.sandboxes);
  members.required("templates", usage.templates);
  members.optional("templates_bytes", usage.templates_bytes);
  members.optional("docker_cache_bytes", usage.docker_cache_bytes);
  members.optional("cache_bytes", usage.cache_bytes);
}

void describe(Members& members, SystemPruned& pruned) {
  members.required("docker_cache_bytes", pruned.docker_cache_bytes);
}

void describe(Members& members, Reset& reset) { members.required("removed", reset.removed); }

}  // namespace sbx::wire
